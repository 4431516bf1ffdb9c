import { limits } from '#contracts'
import { clearCookie, readCookie, setCookie } from '#http'
import { equalSecrets, hashSecret, newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import { evictOldCookies } from '../http/evict-old-cookies.ts'

type Base = Pick<Deps, 'auth_url'>

/** Linkings one browser may have opened and not finished; a further one ends the oldest (OWASP ASVS 3.3.5). Our choice. */
const maxParallelLinks = 5

/** What binds a linking to the browser that opened it. Each has a cookie of its own: tabs do not know of one another. */
export interface BrowserBinding {
  /** Hash of the cookie's value, to be kept with the association token. */
  readonly browser: string
  /** `Set-Cookie` fields. */
  readonly cookies: readonly string[]
}

/**
 * @param token the association token that is bound
 * @param sent the request's `Cookie` field
 */
export function bindBrowser(token: string, sent: string | undefined, { auth_url }: Base): BrowserBinding {
  const value = newToken('', 16)
  const name = cookieNameOf(token)
  return {
    browser: hashSecret(value),
    cookies: [
      setCookie(name, value, limits.association_token_seconds, auth_url, 'lax'),
      ...evictOldCookies({ prefix, name, maxCount: maxParallelLinks }, sent, auth_url),
    ],
  }
}

/**
 * Whether the browser is the one that opened the linking.
 *
 * @param browser the hash kept with the association token
 */
export function isBound(token: string, browser: string, sent: string | undefined, { auth_url }: Base): boolean {
  const value = readCookie(sent, cookieNameOf(token), auth_url)
  return value !== undefined && equalSecrets(hashSecret(value), browser)
}

/** The `Set-Cookie` field that ends the binding. */
export function unbindBrowser(token: string, { auth_url }: Base): string {
  return clearCookie(cookieNameOf(token), auth_url, 'lax')
}

const prefix = 'linking-'

/** Hashed, so that the name does not reveal the token. */
function cookieNameOf(token: string): string {
  return prefix + hashSecret(token).slice(0, 12)
}
