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

/** Limits on the cookies of one kind in a browser. A cookie in parts (`name`, `name.1`, …) counts as one. */
interface CookieLimits {
  /** How the names of the kind begin. */
  readonly prefix: string
  /** The cookie that is being set, which always stays. */
  readonly name: string
  readonly most: number
  /** The size of its value. */
  readonly bytes?: number
  /** The total size of all cookies of the kind. */
  readonly most_bytes?: number
}

/** `Set-Cookie` fields that delete the oldest cookies of a kind, so that there is room for one more (OWASP ASVS 3.3.5). */
export function makeRoom(
  { prefix, name, most, bytes = 0, most_bytes = Number.POSITIVE_INFINITY }: CookieLimits,
  sent: string | undefined,
  base: Base,
): string[] {
  const begins = cookieName(prefix, base)
  const wanted = cookieName(name, base)
  // Browsers send the cookie they got first first (RFC 6265 5.4).
  const others = new Map<string, { parts: string[]; bytes: number }>()
  for (const [part, value] of readCookies(sent)) {
    const [whole = part] = part.split('.')
    if (!part.startsWith(begins) || whole === wanted) continue
    const other = others.get(whole) ?? { parts: [], bytes: 0 }
    others.set(whole, { parts: [...other.parts, part], bytes: other.bytes + sizeOf(part, value.length) })
  }
  const dropped: string[] = []
  let total = [...others.values()].reduce((sum, other) => sum + other.bytes, sizeOf(wanted, bytes))
  for (const [whole, { parts, bytes: freed }] of others) {
    if (others.size + 1 <= most && total <= most_bytes) break
    others.delete(whole)
    dropped.push(...parts)
    total -= freed
  }
  return dropped.map((part) => dropCookie(prefix + part.slice(begins.length), base))
}

/** In the `Cookie` field, with `=` and `; `. */
function sizeOf(name: string, value_bytes: number): number {
  return name.length + value_bytes + 3
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
