import { limits } from '#contracts'
import { clearCookie, cookieName, readCookie, readCookies, setCookie } from '#http'
import { hashSecret, newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import { makeRoom } from '../http/make-room.ts'
import { deleteSession, findSession, insertSession, isOver, type Session, touchSession } from '../store/sessions.ts'

/** Sites one browser may have a session with; a further one ends the oldest. Our choice. */
const parallelSessions = 20

/** Most sessions that one request can look up; logins that end at the same time can leave a browser more than 20. Our choice. */
const mostListed = 2 * parallelSessions

/** A session with the token that its browser holds. */
export interface OpenSession extends Session {
  readonly token: string
}

/** The session a browser has with a site. A site's token opens nothing at another. */
export async function openSession(
  site: number,
  cookie: string | undefined,
  deps: Pick<Deps, 'redis' | 'encryptor' | 'auth_url'>,
): Promise<OpenSession | undefined> {
  const token = readCookie(cookie, nameOf(site), deps.auth_url)
  const session = token && (await findSession(deps, token))
  return session && session.site === site && !isOver(session) ? { ...session, token } : undefined
}

/**
 * Begins a session, or continues one under another token, as at every login (OWASP ASVS 7.2.4). A login goes on without.
 *
 * @returns `Set-Cookie` fields
 */
export async function renewSession(
  session: Session,
  earlier: OpenSession | undefined,
  cookie: string | undefined,
  deps: Pick<Deps, 'redis' | 'encryptor' | 'auth_url' | 'logger'>,
): Promise<string[]> {
  const token = newToken()
  const name = nameOf(session.site)
  try {
    await insertSession(deps, token, session)
    if (earlier !== undefined) await deleteSession(deps, earlier.token)
  } catch (error) {
    deps.logger.warn({ error }, 'a login has no session')
    return []
  }
  return [
    setCookie(name, token, limits.session_absolute_seconds, deps.auth_url, 'lax'),
    ...makeRoom({ prefix, name, most: parallelSessions }, cookie, deps.auth_url),
  ]
}

/** Has a session that was of use live on. */
export async function keepSession(session: OpenSession, deps: Pick<Deps, 'redis'>): Promise<void> {
  await touchSession(deps, session.token, session)
}

export async function endSession({ token }: OpenSession, deps: Pick<Deps, 'redis'>): Promise<void> {
  await deleteSession(deps, token)
}

/** A session cookie of a browser. */
export interface HeldSession {
  /** The cookie's name without `__Host-`. */
  readonly name: string
  readonly token: string
  /** Undefined while Redis is unavailable. */
  readonly session: Session | undefined
}

/** Lists a browser's sessions with one site or with every site: those that have not ended, and all while Redis is unavailable. */
export async function listSessions(
  site: number | undefined,
  cookie: string | undefined,
  deps: Pick<Deps, 'redis' | 'encryptor' | 'auth_url' | 'logger'>,
): Promise<HeldSession[]> {
  const begins = cookieName(site === undefined ? prefix : nameOf(site), deps.auth_url)
  const held = [...readCookies(cookie)].filter(([name]) => name.startsWith(begins)).slice(0, mostListed)
  const read = held.map(async ([name, token]): Promise<HeldSession[]> => {
    const known = { name: name.slice(cookieName('', deps.auth_url).length), token }
    try {
      const session = await findSession(deps, token)
      return session === undefined || isOver(session) ? [] : [{ ...known, session }]
    } catch (error) {
      deps.logger.warn({ error }, 'a session to end cannot be read')
      return [{ ...known, session: undefined }]
    }
  })
  return (await Promise.all(read)).flat()
}

/**
 * Ends sessions. While Redis is unavailable, it deletes only their cookies; the sessions expire in Redis.
 *
 * @returns `Set-Cookie` fields
 */
export async function endSessions(
  held: readonly HeldSession[],
  deps: Pick<Deps, 'redis' | 'auth_url' | 'logger'>,
): Promise<string[]> {
  const ended = held.map(async ({ name, token }) => {
    await deleteSession(deps, token).catch((error: unknown) => {
      deps.logger.warn({ error }, 'only the cookie of a session was deleted')
    })
    return clearCookie(name, deps.auth_url, 'lax')
  })
  return Promise.all(ended)
}

const prefix = 'session-'

/** Each site has a cookie of its own, so that logins at several do not get in one another's way. */
function nameOf(site: number): string {
  return prefix + hashSecret(`site ${site}`).slice(0, 12)
}
