import { limits } from '#contracts'
import { clearCookie, cookieName, readCookie, readCookies, setCookie } from '#http'
import { hashSecret, newToken } from '#runtime'
import type { Deps } from '../../deps.ts'
import { evictOldCookies } from '../../http/evict-old-cookies.ts'
import {
  deleteSession,
  findSession,
  insertSession,
  isSessionExpired,
  type Session,
  touchSession,
} from '../../store/sessions.ts'

/** Maximum sites that a browser may have a session with; a further session ends the oldest. Our choice. */
const maxSessions = 20

/**
 * Maximum sessions that one request looks up; logins that end at the same time can leave a browser with more than 20.
 * Our choice.
 */
const maxListed = 2 * maxSessions

/** A session with the token in the browser's cookie. */
export interface ActiveSession extends Session {
  readonly token: string
}

/** Reads the session that a browser has with a site. A site's token is not valid at other sites. */
export async function readSession(
  site: number,
  cookie: string | undefined,
  deps: Pick<Deps, 'redis' | 'encryptor' | 'auth_url'>,
): Promise<ActiveSession | undefined> {
  const token = readCookie(cookie, cookieNameOf(site), deps.auth_url)
  const session = token && (await findSession(deps, token))
  return session && session.site === site && !isSessionExpired(session) ? { ...session, token } : undefined
}

/**
 * Starts a session, or continues one with a new token, as at every login (OWASP ASVS 7.2.4). If Redis is unavailable,
 * the login continues without a session.
 *
 * @returns `Set-Cookie` headers
 */
export async function renewSession(
  session: Session,
  earlier: ActiveSession | undefined,
  cookie: string | undefined,
  deps: Pick<Deps, 'redis' | 'encryptor' | 'auth_url' | 'logger'>,
): Promise<string[]> {
  const token = newToken()
  const name = cookieNameOf(session.site)
  try {
    await insertSession(deps, token, session, earlier)
  } catch (error) {
    deps.logger.warn({ error }, 'the session could not be stored; the login continues without it')
    return []
  }
  return [
    setCookie(name, token, limits.session_absolute_seconds, deps.auth_url, 'lax'),
    ...evictOldCookies({ prefix, name, maxCount: maxSessions }, cookie, deps.auth_url),
  ]
}

/** Restarts the idle time of a session. */
export async function extendSession(session: ActiveSession, deps: Pick<Deps, 'redis'>): Promise<void> {
  await touchSession(deps, session.token, session)
}

export async function endSession(session: ActiveSession, deps: Pick<Deps, 'redis'>): Promise<void> {
  await deleteSession(deps, session.token, session)
}

/** A session cookie of a browser. */
export interface SessionCookie {
  /** The cookie's name without `__Host-`. */
  readonly name: string
  readonly token: string
  /** Undefined while Redis is unavailable. */
  readonly session: Session | undefined
}

/**
 * Lists a browser's sessions with one site or with all sites: those that have not expired, or all cookies while Redis
 * is unavailable.
 */
export async function listBrowserSessions(
  site: number | undefined,
  cookie: string | undefined,
  deps: Pick<Deps, 'redis' | 'encryptor' | 'auth_url' | 'logger'>,
): Promise<SessionCookie[]> {
  const namePrefix = cookieName(site === undefined ? prefix : cookieNameOf(site), deps.auth_url)
  const sessionCookies = [...readCookies(cookie)].filter(([name]) => name.startsWith(namePrefix)).slice(0, maxListed)
  const read = sessionCookies.map(async ([name, token]): Promise<SessionCookie[]> => {
    const sessionCookie = { name: name.slice(cookieName('', deps.auth_url).length), token }
    try {
      const session = await findSession(deps, token)
      return session === undefined || isSessionExpired(session) ? [] : [{ ...sessionCookie, session }]
    } catch (error) {
      deps.logger.warn({ error }, 'a session could not be read; only its cookie will be deleted')
      return [{ ...sessionCookie, session: undefined }]
    }
  })
  return (await Promise.all(read)).flat()
}

/**
 * Ends sessions. While Redis is unavailable, it deletes only their cookies; the sessions expire in Redis.
 *
 * @returns `Set-Cookie` headers
 */
export async function endSessions(
  sessionCookies: readonly SessionCookie[],
  deps: Pick<Deps, 'redis' | 'auth_url' | 'logger'>,
): Promise<string[]> {
  const cleared = sessionCookies.map(async ({ name, token, session }) => {
    await deleteSession(deps, token, session).catch((error: unknown) => {
      deps.logger.warn({ error }, 'a session could not be deleted; only its cookie was deleted')
    })
    return clearCookie(name, deps.auth_url, 'lax')
  })
  return Promise.all(cleared)
}

const prefix = 'session-'

/** Each site has its own cookie, so that logins at several sites are independent. */
function cookieNameOf(site: number): string {
  return prefix + hashSecret(`site ${site}`).slice(0, 12)
}
