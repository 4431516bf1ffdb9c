import type { Context } from '#http'

interface Base {
  readonly console_url: string
}

/** The name of a cookie on the wire: only we can set it, where browsers can hold us to that (TLS). */
export function cookieName(name: string, base: Base): string {
  return secured(base) ? `__Host-${name}` : name
}

export function readCookie(ctx: Context, name: string, base: Base): string | undefined {
  const wanted = `${cookieName(name, base)}=`
  const pairs = (ctx.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(wanted))?.slice(wanted.length)
  return value === '' ? undefined : value
}

/** @param same_site `Lax` for what has to come with a navigation from elsewhere */
export function setCookie(
  ctx: Context,
  name: string,
  value: string,
  life_seconds: number,
  base: Base,
  same_site: 'Strict' | 'Lax' = 'Strict',
): void {
  const attributes = `Max-Age=${life_seconds}; Path=/; HttpOnly; SameSite=${same_site}${secured(base) ? '; Secure' : ''}`
  ctx.append('Set-Cookie', `${cookieName(name, base)}=${value}; ${attributes}`)
}

export function dropCookie(ctx: Context, name: string, base: Base): void {
  setCookie(ctx, name, '', 0, base)
}

/** `__Host-` needs `Secure`, which browsers other than Chromium do not allow on a local address without TLS. */
function secured({ console_url }: Base): boolean {
  return console_url.startsWith('https:')
}
