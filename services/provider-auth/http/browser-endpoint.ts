import type { Context } from '#http'

/** The router runs a GET route for HEAD as well, so each route says itself what it answers. */
export function requireMethod(ctx: Context, methods: readonly string[]): void {
  if (methods.includes(ctx.method)) return
  ctx.set('Allow', methods.join(', '))
  ctx.throw(405)
}

/** Not `ctx.redirect`, which rewrites the address and repeats it in a body. */
export function redirect(ctx: Context, location: string, status: 302 | 303 = 302): void {
  ctx.status = status
  ctx.set('Location', location)
  ctx.body = ''
  ctx.remove('Content-Type')
}

/** Whether a form may come from a page of ours, by its `Sec-Fetch-Site` field; older browsers send none. */
export function isSameOrigin(secFetchSite: string): boolean {
  return secFetchSite === '' || secFetchSite === 'same-origin'
}
