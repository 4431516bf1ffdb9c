import { clearCookie, cookieName, readCookies } from '#http'

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
  readonly mostBytes?: number
}

/** `Set-Cookie` fields that delete the oldest cookies of a kind, so that there is room for one more (OWASP ASVS 3.3.5). */
export function makeRoom(
  { prefix, name, most, bytes = 0, mostBytes = Number.POSITIVE_INFINITY }: CookieLimits,
  sent: string | undefined,
  authUrl: string,
): string[] {
  const begins = cookieName(prefix, authUrl)
  const wanted = cookieName(name, authUrl)
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
    if (others.size + 1 <= most && total <= mostBytes) break
    others.delete(whole)
    dropped.push(...parts)
    total -= freed
  }
  return dropped.map((part) => clearCookie(prefix + part.slice(begins.length), authUrl, 'lax'))
}

/** In the `Cookie` field, with `=` and `; `. */
function sizeOf(name: string, valueBytes: number): number {
  return name.length + valueBytes + 3
}
