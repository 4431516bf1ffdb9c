import type Router from '@koa/router'
import { createRouter, type RequestState } from '#http'
import { adminBasePath } from '../admin-paths.ts'

/** Creates the route of the OpenAPI description, which requires no authentication. */
export function createOpenapiRoutes(description: object): Router<RequestState> {
  const router = createRouter()
  const text = JSON.stringify(description, undefined, 2)
  router.get(`${adminBasePath}/openapi.json`, (ctx) => {
    ctx.type = 'application/json; charset=utf-8'
    ctx.body = text
  })
  return router
}
