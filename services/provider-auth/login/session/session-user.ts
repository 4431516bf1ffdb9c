import type { Call } from '#bus'
import { Fault, isLoginEnded, type Link, type User } from '#contracts'
import type { Deps } from '../../deps.ts'
import { type ActiveSession, endSession } from './session.ts'

/** The user of a session, with all links, if the session still counts. */
export type SessionUser =
  | { readonly state: 'active'; readonly user: User; readonly links: readonly Link[] }
  | { readonly state: 'blocked' | 'ended' }

/**
 * Reads the user of a session, and ends the session if the user was deleted or blocked, or the account was unlinked.
 *
 * @throws Fault if identity is unavailable
 */
export async function readSessionUser(
  session: ActiveSession,
  deps: Pick<Deps, 'identity' | 'redis'>,
  call: Call,
): Promise<SessionUser> {
  const { site, identifier, link_id, recorded_at } = session
  const resolved = await deps.identity.resolveUser({ site, identifier }, call).catch((error: unknown) => {
    if (error instanceof Fault && error.fault === 'entity_not_found') return undefined
    throw error
  })
  const isLinked = resolved?.links.some((link) => link.link_id === link_id) ?? false
  if (resolved !== undefined && isLinked && !isLoginEnded(resolved.user, recorded_at))
    return { state: 'active', ...resolved }
  await endSession(session, deps)
  return { state: isLinked && resolved?.user.block !== undefined ? 'blocked' : 'ended' }
}
