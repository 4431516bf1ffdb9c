import Router from '@koa/router'
import type { RequestState } from './app.ts'

export type Routes = Router<RequestState>

/**
 * Creates routes that match exactly, case-sensitive and with trailing slashes. Logs and metrics use their templates.
 *
 * @param prefix of every path
 */
export function createRouter(prefix = ''): Routes {
  const router = new Router<RequestState>({ prefix, strict: true, sensitive: true })
  router.use(async (ctx, next) => {
    try {
      await next()
    } finally {
      // Before the route runs, the router has this middleware as the matched route.
      if (typeof ctx._matchedRoute === 'string') ctx.state.route = ctx._matchedRoute
    }
  })
  return router
}
