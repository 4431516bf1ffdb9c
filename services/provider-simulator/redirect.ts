import type { Context } from '#http'

/** Sends the browser on; the address is written as it stands, where Koa's own redirect would rewrite it. */
export function redirect(ctx: Context, address: string): void {
  ctx.status = 302
  ctx.set('Location', address)
  ctx.body = ''
}

/** A redirect_uri with further parameters behind its own query; those that are undefined are left out. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `${uri}${uri.includes('?') ? '&' : '?'}${pairs.join('&')}`
}
