import { parseCookie, stringifySetCookie } from 'cookie'

/**
 * The name of a cookie on the wire: with `__Host-`, so that only this host can set it, where the service is reached by TLS (RFC 6265bis
 * 4.1.3.2). Browsers other than Chromium do not allow the prefix on a local address without TLS.
 */
export function cookieName(name: string, public_url: string): string {
  return isSecure(public_url) ? `__Host-${name}` : name
}

/**
 * A `Set-Cookie` field. Scripts cannot read the cookie.
 *
 * @param name without `__Host-`
 * @param same_site `lax` for a cookie that must come with a navigation from another site
 */
export function setCookie(
  name: string,
  value: string,
  life_seconds: number,
  public_url: string,
  same_site: 'strict' | 'lax',
): string {
  return stringifySetCookie({
    name: cookieName(name, public_url),
    value,
    maxAge: life_seconds,
    path: '/',
    httpOnly: true,
    sameSite: same_site,
    secure: isSecure(public_url),
  })
}

/** The `Set-Cookie` field that deletes a cookie. */
export function dropCookie(name: string, public_url: string, same_site: 'strict' | 'lax'): string {
  return setCookie(name, '', 0, public_url, same_site)
}

/**
 * Reads cookies by their names on the wire, in the order the browser sent them.
 *
 * @param sent the request's `Cookie` field
 */
export function readCookies(sent = ''): ReadonlyMap<string, string> {
  return new Map(Object.entries(parseCookie(sent)).map(([name, value = '']) => [name, value]))
}

/**
 * Reads one cookie; undefined when it was not sent or is empty.
 *
 * @param sent the request's `Cookie` field
 * @param name without `__Host-`
 */
export function readCookie(sent: string | undefined, name: string, public_url: string): string | undefined {
  return readCookies(sent).get(cookieName(name, public_url)) || undefined
}

function isSecure(public_url: string): boolean {
  return public_url.startsWith('https:')
}
