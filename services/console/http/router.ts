import Router from '@koa/router'
import type { RequestState } from '#http'

/** Routes that match exactly as written; each is known by its template in logs and metrics. */
export function createRouter(): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true })
  router.use((ctx, next) => {
    if (typeof ctx._matchedRoute === 'string') ctx.state.route = ctx._matchedRoute
    return next()
  })
  return router
}
