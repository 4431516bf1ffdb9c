import type { Context } from '#http'

/** Rejects other methods with 405. The router also runs GET routes for HEAD, so each route checks its method. */
export function requireMethod(ctx: Context, methods: readonly string[]): void {
  if (methods.includes(ctx.method)) return
  ctx.set('Allow', methods.join(', '))
  ctx.throw(405)
}

/** Redirects without `ctx.redirect`, which rewrites the URL and repeats it in a body. */
export function redirect(ctx: Context, location: string, status: 302 | 303 = 302): void {
  ctx.status = status
  ctx.set('Location', location)
  ctx.body = ''
  ctx.remove('Content-Type')
}

/** Whether a form may come from our own page, by its `Sec-Fetch-Site` header; older browsers do not send it. */
export function isSameOrigin(secFetchSite: string): boolean {
  return secFetchSite === '' || secFetchSite === 'same-origin'
}
