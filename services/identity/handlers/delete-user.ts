import type { Knex } from 'knex'
import { type Call, remainingMs } from '#bus'
import { type ErasureCause, erasingServices, Fault } from '#contracts'
import { runCommand, storeEvents } from '#database'
import type { Deps, IdentityHandlers } from '../deps.ts'
import { deletedEvent, deletionCanceledEvent } from '../domain/user-events.ts'
import { eraseUserMessages, type IdentityMessage } from '../outbox.ts'
import { readClock } from '../store/clock.ts'
import { insertErasure } from '../store/erasures.ts'
import { deleteInactivityDeletion, doesRuleApply } from '../store/inactive-users.ts'
import { listLinks } from '../store/links.ts'
import { findUserDeletion } from '../store/user-deletions.ts'
import { lockUserByIds } from '../store/user-lookup.ts'
import { deleteUserRow, type UserKey } from '../store/users.ts'

type DeletionDeps = Pick<Deps, 'knex' | 'outbox'>

export const deleteUser: IdentityHandlers['deleteUser'] = async (
  { site, command, requested_by, ...ids },
  deps,
  call,
) => {
  const findUser = async (trx: Knex.Transaction) => {
    // For update, so that no response with the user's data is stored meanwhile.
    const user = await lockUserByIds(trx, site, ids, 'update')
    return { user, requested_by, requested_at: undefined }
  }
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
    const { cause, requested_at } = deletion
    if (cause === 'user_request' || (await doesRuleApply(trx, key))) return { user, requested_by: cause, requested_at }
    await deleteInactivityDeletion(trx, key, null)
    await storeEvents(trx, [deletionCanceledEvent({ ...user, site, time })])
    return undefined
  }
  await deleteWith({ site, command }, findUser, deps, call).catch((error: unknown) => {
    // The user was deleted or merged meanwhile.
    if (!(error instanceof Fault && error.fault === 'entity_not_found')) throw error
  })
}

interface LockedUser {
  readonly user: Awaited<ReturnType<typeof lockUserByIds>>
  readonly requested_by: ErasureCause
  /** Undefined: now. */
  readonly requested_at: Date | undefined
}

/** @param findUser locks the user; undefined: nothing is deleted */
async function deleteWith(
  { site, command }: { readonly site: number; readonly command: string },
  findUser: (trx: Knex.Transaction) => Promise<LockedUser | undefined>,
  { knex, outbox }: DeletionDeps,
  call: Call,
): Promise<void> {
  const messages = await runCommand<IdentityMessage[]>(
    knex,
    { site, command },
    async (trx) => {
      const locked = await findUser(trx)
      if (locked === undefined) return []
      const { identifier, primary_key } = locked.user
      const user = { site, identifier }
      const linkIds = (await listLinks(trx, user)).map(({ link_id }) => link_id)
      const time = await readClock(trx)
      const messages = eraseUserMessages({ ...user, link_ids: linkIds, deleted_at: time.toISOString() }, command)
      const services = erasingServices.filter((service) => service !== 'friendship' || linkIds.length > 0)
      const { requested_by, requested_at = time } = locked
      await insertErasure(trx, { ...user, deleted_at: time }, { requested_by, requested_at, services })
      await deleteUserRow(trx, user)
      await outbox.enqueue(trx, messages)
      await storeEvents(trx, [deletedEvent({ ...user, primary_key, time })])
      return messages
    },
    () => [],
  )
  await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
}
