import type Router from '@koa/router'
import { createRouter, type RequestState } from '#http'
import { requireMethod } from '../http/browser-endpoint.ts'
import { stylesheet } from './stylesheet.ts'

/** The stylesheet of our pages. */
export function pageRoutes(): Router<RequestState> {
  const router = createRouter()
  router.all(stylesheet.path, (ctx) => {
    requireMethod(ctx, ['GET', 'HEAD'])
    ctx.type = 'text/css; charset=utf-8'
    ctx.set('Cache-Control', 'public, max-age=3600')
    ctx.body = stylesheet.text
  })
  return router
}
