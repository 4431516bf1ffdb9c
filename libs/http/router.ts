import Router from '@koa/router'
import type { RequestState } from './app.ts'

export type Routes = Router<RequestState>

/**
 * Routes that match exactly as written; each is known by its template in logs and metrics.
 *
 * @param prefix before every path of them
 */
export function createRouter(prefix = ''): Routes {
  const router = new Router<RequestState>({ prefix, strict: true, sensitive: true })
  router.use(async (ctx, next) => {
    try {
      await next()
    } finally {
      // While this runs before the route the router still names this middleware.
      if (typeof ctx._matchedRoute === 'string') ctx.state.route = ctx._matchedRoute
    }
  })
  return router
}
