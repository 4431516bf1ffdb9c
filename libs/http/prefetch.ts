import type { IncomingHttpHeaders } from 'node:http'
import type { Middleware } from 'koa'
import type { RequestState } from './app.ts'

/** Headers of requests that a browser sends before its user opens a page: `Sec-Purpose` (Fetch 3.7) and older ones. */
const purposeFields = ['sec-purpose', 'purpose', 'x-moz', 'x-purpose']

/** Whether a browser sent the request in advance: its user may never open the page. */
export function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return purposeFields.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))
}

/**
 * Responds to prefetches with 503, so that the browser discards the response and sends the request again when its user opens
 * the page. For routes whose GET has an effect (RFC 9110 9.2.1).
 */
export const rejectPrefetch: Middleware<RequestState> = (ctx, next) => {
  if (ctx.method !== 'GET' || !isPrefetch(ctx.headers)) return next()
  ctx.status = 503
  ctx.set('Cache-Control', 'no-store')
  ctx.body = 'This page cannot be loaded in advance. Open it.\n'
}
