import Router from '@koa/router'
import type { RequestState } from '#http'

/** Routes that match exactly as written; each says itself what logs and metrics call it. */
export function createRouter(): Router<RequestState> {
  return new Router<RequestState>({ strict: true, sensitive: true })
}
