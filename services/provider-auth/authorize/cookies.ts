export interface Base {
  /** Cookies are for TLS alone where the service is reached by TLS. */
  readonly auth_url: string
}

/** The name of a cookie on the wire: only we can set it, where browsers can hold us to that. */
export function cookieName(name: string, base: Base): string {
  return secured(base) ? `__Host-${name}` : name
}

/** A `Set-Cookie` field. */
export function setCookie(name: string, value: string, life_seconds: number, base: Base): string {
  const attributes = `Max-Age=${life_seconds}; Path=/; HttpOnly; SameSite=Lax${secured(base) ? '; Secure' : ''}`
  return `${cookieName(name, base)}=${value}; ${attributes}`
}

/** The `Set-Cookie` field that takes a cookie away. */
export function dropCookie(name: string, base: Base): string {
  return setCookie(name, '', 0, base)
}

/**
 * `Set-Cookie` fields that take away the oldest cookies of a kind, so that there is room for one more (OWASP ASVS 3.3.5).
 *
 * @param prefix how the names of the kind begin
 * @param most how many a browser keeps
 */
export function makeRoom(
  { prefix, name, most }: { readonly prefix: string; readonly name: string; readonly most: number },
  sent: string | undefined,
  base: Base,
): string[] {
  const begins = cookieName(prefix, base)
  const wanted = cookieName(name, base)
  // Browsers send the cookie they got first first (RFC 6265 5.4).
  const others = [...readCookies(sent).keys()].filter((other) => other.startsWith(begins) && other !== wanted)
  const surplus = others.slice(0, Math.max(0, others.length + 1 - most))
  return surplus.map((other) => dropCookie(prefix + other.slice(begins.length), base))
}

/**
 * Cookies by their names on the wire, in the order the browser sent them.
 *
 * @param sent the request's `Cookie` field
 */
export function readCookies(sent = ''): Map<string, string> {
  return new Map(
    sent.split(';').map((pair) => {
      const [name = '', ...value] = pair.trim().split('=')
      return [name, value.join('=')]
    }),
  )
}

/** `__Host-` needs `Secure`, which browsers other than Chromium do not allow on a local address without TLS. */
function secured({ auth_url }: Base): boolean {
  return auth_url.startsWith('https:')
}
