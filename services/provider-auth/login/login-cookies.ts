import { limits } from '#contracts'
import { clearCookie, cookieName, readCookies, setCookie } from '#http'
import { hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import { makeRoom } from '../http/make-room.ts'

type Base = Pick<Deps, 'auth_url'>

/**
 * Bytes of `Cookie` that started logins may take in one browser, so that with the sessions of 20 sites it stays near 6 kB:
 * many proxies refuse a field of more than 8 kB. A further login ends the oldest (OWASP ASVS 3.3.5). Our choice.
 */
const mostBytes = 4_400
const mostLogins = 20

/** Browsers refuse a cookie whose name and value are longer than 4,096 bytes (RFC 6265bis 5.6). */
const partBytes = 3_900

/** Longer than a login, so that users who take too long see that it has ended, and no advice about cookies. */
const lifeSeconds = 2 * limits.pending_login_seconds

const prefix = 'login-'

/** Sets the cookies of a login, several where one is too small: `login-…`, `login-….1`, … Logins in parallel tabs share none. */
export function setLoginCookies(state: string, value: string, sent: string | undefined, { auth_url }: Base): string[] {
  const name = nameOf(state)
  const parts = value.match(new RegExp(`.{1,${partBytes}}`, 'g')) ?? []
  const set = parts.map((part, index) => setCookie(partName(name, index), part, lifeSeconds, auth_url, 'lax'))
  return [...set, ...makeRoom({ prefix, name, most: mostLogins, bytes: value.length, mostBytes }, sent, auth_url)]
}

/** The value of a login's cookies; undefined when the browser sent none. */
export function readLoginCookies(state: string, sent: string | undefined, base: Base): string | undefined {
  const parts = partsOf(state, sent, base)
  return parts.length === 0 ? undefined : parts.join('')
}

/** `Set-Cookie` fields that delete a login's cookies. */
export function dropLoginCookies(state: string, sent: string | undefined, base: Base): string[] {
  return partsOf(state, sent, base).map((_, index) => clearCookie(partName(nameOf(state), index), base.auth_url, 'lax'))
}

function partsOf(state: string, sent: string | undefined, { auth_url }: Base): string[] {
  const cookies = readCookies(sent)
  const parts: string[] = []
  for (;;) {
    const part = cookies.get(cookieName(partName(nameOf(state), parts.length), auth_url))
    if (part === undefined) return parts
    parts.push(part)
  }
}

/** Hashed, so that the name does not reveal the state. */
function nameOf(state: string): string {
  return prefix + hashSecret(state).slice(0, 12)
}

function partName(name: string, index: number): string {
  return index === 0 ? name : `${name}.${index}`
}
