import { hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import type { AccountSession } from '../pages/account-view.ts'
import { deleteUserSessions, listUserSessions, type UserSession } from '../store/sessions.ts'
import { type EndUser, whileRedisWorks } from './visit.ts'

/** Characters of a token's hash that name the session in forms. */
const nameLength = 16

/**
 * Lists the sessions of the user in all browsers, this one first. Those of accounts that are linked no more have ended, as
 * those of a user who was blocked since, although they are still stored.
 */
export async function listSessionsOfUser(endUser: EndUser, deps: Deps): Promise<AccountSession[]> {
  const listed = await listOpen(endUser, deps)
  const own = hashSecret(endUser.session.token)
  return listed
    .map(({ session, token_hash, last_used_at_ms }) => ({
      name: token_hash.slice(0, nameLength),
      browser: session.browser ?? 'other',
      provider: session.provider,
      started_at_ms: session.began_at_ms,
      last_used_at_ms,
      is_current: token_hash === own,
    }))
    .toSorted((one, other) => Number(other.is_current) - Number(one.is_current))
}

/** Ends a session by its name in our form, but not that of this browser. */
export async function endNamedSession(endUser: EndUser, name: string, deps: Deps): Promise<void> {
  await endWhere(endUser, ({ token_hash }) => token_hash.slice(0, nameLength) === name, deps)
}

/** Ends the sessions of the user in all other browsers. */
export async function endOtherSessions(endUser: EndUser, deps: Deps): Promise<void> {
  await endWhere(endUser, () => true, deps)
}

async function endWhere(endUser: EndUser, isMeant: (session: UserSession) => boolean, deps: Deps): Promise<void> {
  const own = hashSecret(endUser.session.token)
  await whileRedisWorks(async () => {
    const listed = await listUserSessions(deps, endUser.session)
    const ended = listed.filter((session) => session.token_hash !== own && isMeant(session))
    const hashes = ended.map(({ token_hash }) => token_hash)
    await deleteUserSessions(deps, endUser.session, hashes)
  })
}

async function listOpen({ session, links }: EndUser, deps: Deps): Promise<UserSession[]> {
  const listed = await whileRedisWorks(() => listUserSessions(deps, session))
  return listed.filter((one) => links.some(({ link_id }) => link_id === one.session.link_id))
}
