import { limits } from '#contracts'
import { clearCookie, readCookie, setCookie } from '#http'
import { hashSecret, newToken } from '#runtime'
import type { Deps } from '../../deps.ts'
import { evictOldCookies } from '../../http/evict-old-cookies.ts'

type Base = Pick<Deps, 'auth_url'>

/** Maximum open link requests per browser; a further one ends the oldest (OWASP ASVS 3.3.5). Our choice. */
const maxParallelLinks = 5

/** A browser that opened a link request. Each link request has its own cookie, because tabs are independent. */
export interface BrowserBinding {
  /** Hash of the cookie's value, stored with the association token when its user confirms. */
  readonly browser: string
  /** `Set-Cookie` headers. */
  readonly cookies: readonly string[]
}

/**
 * Identifies the browser by its cookie, which is set if the browser has none.
 *
 * @param token the association token
 * @param sent the request's `Cookie` header
 */
export function bindBrowser(token: string, sent: string | undefined, { auth_url }: Base): BrowserBinding {
  const browser = findBrowser(token, sent, { auth_url })
  if (browser !== undefined) return { browser, cookies: [] }
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

/** Returns the hash of the browser's cookie for the link request; undefined if the browser has not opened it. */
export function findBrowser(token: string, sent: string | undefined, { auth_url }: Base): string | undefined {
  const value = readCookie(sent, cookieNameOf(token), auth_url)
  return value === undefined ? undefined : hashSecret(value)
}

/** The `Set-Cookie` header that removes the binding. */
export function unbindBrowser(token: string, { auth_url }: Base): string {
  return clearCookie(cookieNameOf(token), auth_url, 'lax')
}

const prefix = 'linking-'

/** Hashed, so that the name does not reveal the token. */
function cookieNameOf(token: string): string {
  return prefix + hashSecret(token).slice(0, 12)
}
