import { remainingMs } from '#bus'
import { lockLinks, storeEvents, transaction } from '#database'
import { hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import { createSessionEndMessage } from '../outbox.ts'
import type { AccountSession } from '../pages/account-view.ts'
import { listUserSessions, type UserSession } from '../store/sessions.ts'
import { enqueueAction } from './enqueue-action.ts'
import { type EndUser, type EndUserVisit, whileRedisWorks } from './visit.ts'

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
export async function endNamedSession(visit: EndUserVisit, name: string, deps: Deps): Promise<void> {
  await endWhere(visit, ({ token_hash }) => token_hash.slice(0, nameLength) === name, deps)
}

/** Ends the sessions of the user in all other browsers. */
export async function endOtherSessions(visit: EndUserVisit, deps: Deps): Promise<void> {
  await endWhere(visit, () => true, deps)
}

async function endWhere(visit: EndUserVisit, isMeant: (session: UserSession) => boolean, deps: Deps): Promise<void> {
  const { endUser } = visit
  const own = hashSecret(endUser.session.token)
  const listed = await whileRedisWorks(() => listUserSessions(deps, endUser.session))
  const meant = listed.filter((session) => session.token_hash !== own && isMeant(session))
  const hashes = meant.map(({ token_hash }) => token_hash)
  await endWithEvent(visit, hashes, deps)
}

/**
 * Ends sessions with an event: both happen, also after a crash, because the sessions are ended by stored messages. A repeat while
 * the messages wait causes no further event.
 *
 * @param hashes of the sessions' tokens
 */
export async function endWithEvent(visit: EndUserVisit, hashes: readonly string[], deps: Deps): Promise<void> {
  const { site, identifier, link_id } = visit.endUser.session
  const { call } = visit.context
  const { knex, outbox } = deps
  const messages = hashes.map((hash) => createSessionEndMessage({ site, identifier, token_hash: hash }))
  if (messages.length === 0) return
  await transaction(knex, async (trx) => {
    await lockLinks(trx, [link_id])
    const stored = await outbox.findStored(
      trx,
      messages.map(({ key }) => key),
    )
    const further = messages.filter(({ key }) => !stored.some((message) => message.key === key))
    if (further.length === 0) return
    await outbox.enqueue(trx, further)
    const data = { sessions: further.length }
    const time = new Date()
    await enqueueAction(trx, visit, { action: 'endOwnSessions', details: data, time }, deps)
    await storeEvents(trx, [{ type: 'user.sessions_ended', site, user: { identifier }, data, time }])
  })
  await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
}

async function listOpen({ session, links }: EndUser, deps: Deps): Promise<UserSession[]> {
  const listed = await whileRedisWorks(() => listUserSessions(deps, session))
  return listed.filter((one) => links.some(({ link_id }) => link_id === one.session.link_id))
}
