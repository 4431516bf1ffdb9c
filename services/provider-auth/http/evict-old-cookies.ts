import { clearCookie, cookieName, readCookies } from '#http'

/** Limits for the cookies of one kind in a browser. A cookie in parts (`name`, `name.1`, …) counts as one. */
interface CookieLimits {
  /** Prefix of the cookies' names. */
  readonly prefix: string
  /** The new cookie, which always stays. */
  readonly name: string
  readonly maxCount: number
  /** The size of the new cookie's value. */
  readonly bytes?: number
  /** The total size of all cookies of the kind. */
  readonly maxBytes?: number
}

/** The `Set-Cookie` headers that delete the oldest cookies of a kind to make room for one more (OWASP ASVS 3.3.5). */
export function evictOldCookies(
  { prefix, name, maxCount, bytes = 0, maxBytes = Number.POSITIVE_INFINITY }: CookieLimits,
  sent: string | undefined,
  authUrl: string,
): string[] {
  const namePrefix = cookieName(prefix, authUrl)
  const newName = cookieName(name, authUrl)
  // Browsers send older cookies first (RFC 6265 5.4).
  const others = new Map<string, { parts: string[]; bytes: number }>()
  for (const [part, value] of readCookies(sent)) {
    const [whole = part] = part.split('.')
    if (!part.startsWith(namePrefix) || whole === newName) continue
    const other = others.get(whole) ?? { parts: [], bytes: 0 }
    others.set(whole, { parts: [...other.parts, part], bytes: other.bytes + sizeOf(part, value.length) })
  }
  const evicted: string[] = []
  let total = [...others.values()].reduce((sum, other) => sum + other.bytes, sizeOf(newName, bytes))
  for (const [whole, { parts, bytes: freed }] of others) {
    if (others.size + 1 <= maxCount && total <= maxBytes) break
    others.delete(whole)
    evicted.push(...parts)
    total -= freed
  }
  return evicted.map((part) => clearCookie(prefix + part.slice(namePrefix.length), authUrl, 'lax'))
}

/** The size in the `Cookie` header, with `=` and `; `. */
function sizeOf(name: string, valueBytes: number): number {
  return name.length + valueBytes + 3
}
