import { limits } from '#contracts'
import { clearCookie, cookieName, readCookies, setCookie } from '#http'
import { hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import { evictOldCookies } from '../http/evict-old-cookies.ts'

type Base = Pick<Deps, 'auth_url'>

/**
 * Bytes of `Cookie` that started logins may take in one browser, so that with the sessions of 20 sites it stays near 6 kB:
 * many proxies refuse a field of more than 8 kB. A further login ends the oldest (OWASP ASVS 3.3.5). Our choice.
 */
const maxTotalBytes = 4_400
const maxLogins = 20

/** Browsers refuse a cookie whose name and value are longer than 4,096 bytes (RFC 6265bis 5.6). */
const maxPartBytes = 3_900

/** Longer than a login, so that users who take too long see that it has ended, and no advice about cookies. */
const lifetimeSeconds = 2 * limits.pending_login_seconds

const prefix = 'login-'

/** Sets the cookies of a login, several where one is too small: `login-…`, `login-….1`, … Logins in parallel tabs share none. */
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

/** The value of a login's cookies; undefined when the browser sent none. */
export function readLoginCookies(state: string, sent: string | undefined, base: Base): string | undefined {
  const parts = readParts(state, sent, base)
  return parts.length === 0 ? undefined : parts.join('')
}

/** `Set-Cookie` fields that delete a login's cookies. */
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
