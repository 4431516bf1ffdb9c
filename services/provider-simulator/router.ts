import Router from '@koa/router'
import type { RequestState } from '#http'

export type Routes = Router<RequestState>

/** Routes that match exactly as written; each is known by its template in logs and metrics. */
export function createRouter(prefix = ''): Routes {
  const router = new Router<RequestState>({ prefix, strict: true, sensitive: true })
  router.use((ctx, next) => {
    if (typeof ctx._matchedRoute === 'string') ctx.state.route = ctx._matchedRoute
    return next()
  })
  return router
}
