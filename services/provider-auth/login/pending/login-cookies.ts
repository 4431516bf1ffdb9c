import { limits } from '#contracts'
import { clearCookie, cookieName, readCookies, setCookie } from '#http'
import { hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'
import { evictOldCookies } from '../../http/evict-old-cookies.ts'

type Base = Pick<Deps, 'auth_url'>

/**
 * Maximum bytes of `Cookie` for the pending logins of a browser. With the sessions of 20 sites, the header stays near 6
 * kB; many proxies reject more than 8 kB. A further login deletes the oldest (OWASP ASVS 3.3.5). Our choice.
 */
const maxTotalBytes = 4_400
const maxLogins = 20

/** Browsers reject cookies whose name and value exceed 4,096 bytes (RFC 6265bis 5.6). */
const maxPartBytes = 3_900

/**
 * Longer than a login is valid, so that users who take too long see that it has expired, and no advice about cookies.
 */
const lifetimeSeconds = 2 * limits.pending_login_seconds

const prefix = 'login-'

/**
 * Sets the cookies of a login, in parts if the value is too long: `login-…`, `login-….1`, … Logins in parallel tabs
 * have separate cookies.
 */
export function setLoginCookies(state: string, value: string, sent: string | undefined, { auth_url }: Base): string[] {
  const name = cookieNameOf(state)
  const parts = value.match(new RegExp(`.{1,${maxPartBytes}}`, 'g')) ?? []
  const set = parts.map((part, index) => setCookie(partNameOf(name, index), part, lifetimeSeconds, auth_url, 'lax'))
  return [
    ...set,
    ...evictOldCookies(
      { prefix, name, maxCount: maxLogins, bytes: value.length, maxBytes: maxTotalBytes },
      sent,
      auth_url,
    ),
  ]
}

/** Reads the value of a login's cookies; undefined if the browser sent none. */
export function readLoginCookies(state: string, sent: string | undefined, base: Base): string | undefined {
  const parts = readParts(state, sent, base)
  return parts.length === 0 ? undefined : parts.join('')
}

/** The `Set-Cookie` headers that delete a login's cookies. */
export function clearLoginCookies(state: string, sent: string | undefined, base: Base): string[] {
  return readParts(state, sent, base).map((_, index) =>
    clearCookie(partNameOf(cookieNameOf(state), index), base.auth_url, 'lax'),
  )
}

function readParts(state: string, sent: string | undefined, { auth_url }: Base): string[] {
  const cookies = readCookies(sent)
  const parts: string[] = []
  for (;;) {
    const part = cookies.get(cookieName(partNameOf(cookieNameOf(state), parts.length), auth_url))
    if (part === undefined) return parts
    parts.push(part)
  }
}

/** Hashed, so that the name does not reveal the state. */
function cookieNameOf(state: string): string {
  return prefix + hashSecret(state).slice(0, 12)
}

function partNameOf(name: string, index: number): string {
  return index === 0 ? name : `${name}.${index}`
}
