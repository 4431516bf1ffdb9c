import type { Knex } from 'knex'
import { type Call, remainingMs } from '#bus'
import { Fault } from '#contracts'
import { runCommand, storeEvents } from '#database'
import type { Deps, IdentityHandlers } from '../deps.ts'
import { deletedEvent, deletionCanceledEvent } from '../domain/user-events.ts'
import { deleteLinksMessages, type IdentityMessage } from '../outbox.ts'
import { readClock } from '../store/clock.ts'
import { deleteInactivityDeletion, doesRuleApply } from '../store/inactive-users.ts'
import { listLinks } from '../store/links.ts'
import { findUserDeletion } from '../store/user-deletions.ts'
import { lockUserByIds } from '../store/user-lookup.ts'
import { deleteUserRow, type UserKey } from '../store/users.ts'

type DeletionDeps = Pick<Deps, 'knex' | 'outbox'>

export const deleteUser: IdentityHandlers['deleteUser'] = async ({ site, command, ...ids }, deps, call) => {
  // For update, so that no response with the user's data is stored meanwhile.
  const findUser = (trx: Knex.Transaction) => lockUserByIds(trx, site, ids, 'update')
  await deleteWith({ site, command }, findUser, deps, call)
  return {}
}

/**
 * Deletes a user whose deletion is due, unless it was canceled in the meantime. A deletion by inactivity is canceled if the rule of the
 * site no longer applies.
 */
export async function deleteDueUser(
  { site, identifier, command }: UserKey & { readonly command: string },
  deps: DeletionDeps,
  call: Call,
): Promise<void> {
  const findUser = async (trx: Knex.Transaction) => {
    const user = await lockUserByIds(trx, site, { identifier }, 'update')
    const key = { site, identifier }
    const deletion = await findUserDeletion(trx, key)
    const time = await readClock(trx)
    if (deletion === undefined || deletion.delete_at > time) return undefined
    if (deletion.cause === 'user_request' || (await doesRuleApply(trx, key))) return user
    await deleteInactivityDeletion(trx, key, null)
    await storeEvents(trx, [deletionCanceledEvent({ ...user, site, time })])
    return undefined
  }
  await deleteWith({ site, command }, findUser, deps, call).catch((error: unknown) => {
    // The user was deleted or merged meanwhile.
    if (!(error instanceof Fault && error.fault === 'entity_not_found')) throw error
  })
}

/** @param findUser locks the user; undefined: nothing is deleted */
async function deleteWith(
  { site, command }: { readonly site: number; readonly command: string },
  findUser: (trx: Knex.Transaction) => Promise<Awaited<ReturnType<typeof lockUserByIds>> | undefined>,
  { knex, outbox }: DeletionDeps,
  call: Call,
): Promise<void> {
  const messages = await runCommand<IdentityMessage[]>(
    knex,
    { site, command },
    async (trx) => {
      const locked = await findUser(trx)
      if (locked === undefined) return []
      const { identifier, primary_key } = locked
      const user = { site, identifier }
      const linkIds = (await listLinks(trx, user)).map(({ link_id }) => link_id)
      const time = await readClock(trx)
      await deleteUserRow(trx, user)
      const deletion = { ...user, link_ids: linkIds, deleted_at: time.toISOString() }
      const messages = deleteLinksMessages({ ...deletion, profile: 'delete' }, command)
      await outbox.enqueue(trx, messages)
      await storeEvents(trx, [deletedEvent({ ...user, primary_key, time })])
      return messages
    },
    () => [],
  )
  await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
}
