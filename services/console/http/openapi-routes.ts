import type Router from '@koa/router'
import { createRouter, type RequestState } from '#http'
import { adminBase } from './admin-base.ts'

/** The description of the Admin API, for which nobody needs to sign in. */
export function openapiRoutes(description: object): Router<RequestState> {
  const router = createRouter()
  const text = JSON.stringify(description, undefined, 2)
  router.get(`${adminBase}/openapi.json`, (ctx) => {
    ctx.type = 'application/json; charset=utf-8'
    ctx.body = text
  })
  return router
}
