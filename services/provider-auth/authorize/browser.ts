import { limits } from '#contracts'
import { equalSecrets, hashSecret, newToken } from '#runtime'
import { type Base, cookieName, dropCookie, makeRoom, readCookies, setCookie } from './cookies.ts'

/** Logins one browser may have begun and not finished; a further one ends the oldest (OWASP ASVS 3.3.5). Our choice. */
const parallel_logins = 20

/** What binds a login to the browser that began it. Each login has a cookie of its own: tabs do not know of one another. */
export interface Binding {
  /** Hash of the cookie's value, to be kept with the login. */
  readonly browser: string
  /** `Set-Cookie` fields. */
  readonly cookies: readonly string[]
}

/**
 * @param state the handle of what is bound: a login's state, or an association token
 * @param sent the request's `Cookie` field
 */
export function bindBrowser(
  state: string,
  sent: string | undefined,
  base: Base,
  life_seconds: number = limits.pending_login_seconds,
): Binding {
  const value = newToken('', 16)
  const name = nameOf(state)
  return {
    browser: hashSecret(value),
    cookies: [
      setCookie(name, value, life_seconds, base),
      ...makeRoom({ prefix, name, most: parallel_logins }, sent, base),
    ],
  }
}

/**
 * Whether the browser is the one that began the login.
 *
 * @param browser the hash kept with the login
 */
export function isBound(state: string, browser: string, sent: string | undefined, base: Base): boolean {
  const value = readCookies(sent).get(cookieName(nameOf(state), base))
  return value !== undefined && equalSecrets(hashSecret(value), browser)
}

/** The `Set-Cookie` field that ends the binding. */
export function unbindBrowser(state: string, base: Base): string {
  return dropCookie(nameOf(state), base)
}

const prefix = 'login-'

/** The name tells nothing of the state itself. */
function nameOf(state: string): string {
  return prefix + hashSecret(state).slice(0, 12)
}
