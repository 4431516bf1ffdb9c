import { runCommand, storeEvents } from '#database'
import { toTimestamp } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { deletionTimeOf } from '../domain/deletion-time.ts'
import { deletionCanceledEvent, deletionRequestedEvent } from '../domain/user-events.ts'
import { enqueueEndUserAction } from '../enqueue-end-user-action.ts'
import { readClock } from '../store/clock.ts'
import { deleteInactivityDeletion } from '../store/inactive-users.ts'
import { deleteUserDeletion, findUserDeletion, insertUserDeletion } from '../store/user-deletions.ts'
import { lockUserByIds } from '../store/user-lookup.ts'

export const readUserDeletion: IdentityHandlers['readUserDeletion'] = async (user, { knex }) => {
  const row = await findUserDeletion(knex, user)
  if (row === undefined) return { deletion: null }
  const { requested_at, delete_at, cause } = row
  return { deletion: { requested_at: toTimestamp(requested_at), delete_at: toTimestamp(delete_at), cause } }
}

export const requestUserDeletion: IdentityHandlers['requestUserDeletion'] = async (
  { site, command, waiting_days, ...ids },
  deps,
  call,
) =>
  runCommand(
    deps.knex,
    { site, command },
    async (trx) => {
      const user = await lockUserByIds(trx, site, ids)
      const key = { site, identifier: user.identifier }
      const earlier = await findUserDeletion(trx, key)
      if (earlier?.cause === 'user_request') return { delete_at: toTimestamp(earlier.delete_at) }
      // The request replaces an announced deletion, which a login would cancel.
      if (earlier !== undefined) await deleteInactivityDeletion(trx, key, null)
      const time = await readClock(trx)
      const deleteAt = deletionTimeOf(time, waiting_days)
      const row = { requested_at: time, delete_at: deleteAt }
      const action = { action: 'requestOwnDeletion', details: { delete_at: toTimestamp(deleteAt) } } as const
      await enqueueEndUserAction(trx, { ...key, time }, action, deps, call)
      await insertUserDeletion(trx, key, row, deletionRequestedEvent({ ...user, site, time }, deleteAt, 'user_request'))
      return { delete_at: toTimestamp(deleteAt) }
    },
    async (trx) => {
      const { identifier } = await lockUserByIds(trx, site, ids)
      const row = await findUserDeletion(trx, { site, identifier })
      return { delete_at: row === undefined ? null : toTimestamp(row.delete_at) }
    },
  )

export const cancelUserDeletion: IdentityHandlers['cancelUserDeletion'] = async (
  { site, command, by_end_user, ...ids },
  deps,
  call,
) =>
  runCommand(
    deps.knex,
    { site, command },
    async (trx) => {
      const user = await lockUserByIds(trx, site, ids)
      const key = { site, identifier: user.identifier }
      const deletion = await findUserDeletion(trx, key)
      if (deletion === undefined) return {}
      const time = await readClock(trx)
      if (by_end_user)
        await enqueueEndUserAction(trx, { ...key, time }, { action: 'cancelOwnDeletion', details: {} }, deps, call)
      const event = deletionCanceledEvent({ ...user, site, time })
      if (deletion.cause === 'user_request') await deleteUserDeletion(trx, key, event)
      else {
        await deleteInactivityDeletion(trx, key, time)
        await storeEvents(trx, [event])
      }
      return {}
    },
    () => ({}),
  )
