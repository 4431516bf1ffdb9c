import type { Context } from '#http'

/** Redirects the browser. The URL is sent unchanged, unlike with Koa's own redirect. */
export function redirectTo(ctx: Context, address: string): void {
  ctx.status = 302
  ctx.set('Location', address)
  ctx.body = ''
}

/** Appends parameters to a redirect URI; undefined ones are omitted. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `${uri}${uri.includes('?') ? '&' : '?'}${pairs.join('&')}`
}
