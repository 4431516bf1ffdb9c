import { parseCookie, stringifySetCookie } from 'cookie'

/**
 * The name of a cookie on the wire: with `__Host-` if the service uses TLS, so that only this host can set it (RFC 6265bis
 * 4.1.3.2). Browsers other than Chromium do not allow the prefix on a local address without TLS.
 */
export function cookieName(name: string, publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name
}

/**
 * A `Set-Cookie` field. Scripts cannot read the cookie.
 *
 * @param name without `__Host-`
 * @param sameSite `lax` for a cookie that must come with a navigation from another site
 */
export function setCookie(
  name: string,
  value: string,
  lifeSeconds: number,
  publicUrl: string,
  sameSite: 'strict' | 'lax',
): string {
  return stringifySetCookie({
    name: cookieName(name, publicUrl),
    value,
    maxAge: lifeSeconds,
    path: '/',
    httpOnly: true,
    sameSite,
    secure: isSecure(publicUrl),
  })
}

/** The `Set-Cookie` field that deletes a cookie. */
export function clearCookie(name: string, publicUrl: string, sameSite: 'strict' | 'lax'): string {
  return setCookie(name, '', 0, publicUrl, sameSite)
}

/**
 * Reads cookies by their names on the wire, in the order the browser sent them.
 *
 * @param cookieField the request's `Cookie` field
 */
export function readCookies(cookieField = ''): ReadonlyMap<string, string> {
  return new Map(Object.entries(parseCookie(cookieField)).map(([name, value = '']) => [name, value]))
}

/**
 * Reads one cookie; undefined if it was not sent or is empty.
 *
 * @param sent the request's `Cookie` field
 * @param name without `__Host-`
 */
export function readCookie(sent: string | undefined, name: string, publicUrl: string): string | undefined {
  return readCookies(sent).get(cookieName(name, publicUrl)) || undefined
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
