import { runCommand } from '#database'
import { toTimestamp } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { deletionCanceledEvent, deletionRequestedEvent } from '../domain/user-events.ts'
import { readClock } from '../store/clock.ts'
import { deleteUserDeletion, findUserDeletion, insertUserDeletion } from '../store/user-deletions.ts'
import { lockUserByIds } from '../store/user-lookup.ts'

const daySeconds = 86_400

export const readUserDeletion: IdentityHandlers['readUserDeletion'] = async (user, { knex }) => {
  const row = await findUserDeletion(knex, user)
  if (row === undefined) return { deletion: null }
  return { deletion: { requested_at: toTimestamp(row.requested_at), delete_at: toTimestamp(row.delete_at) } }
}

export const requestUserDeletion: IdentityHandlers['requestUserDeletion'] = async (
  { site, command, waiting_days, ...ids },
  { knex },
) =>
  runCommand(
    knex,
    { site, command },
    async (trx) => {
      const user = await lockUserByIds(trx, site, ids)
      const key = { site, identifier: user.identifier }
      const earlier = await findUserDeletion(trx, key)
      if (earlier !== undefined) return { delete_at: toTimestamp(earlier.delete_at) }
      const time = await readClock(trx)
      const deleteAt = new Date(time.getTime() + waiting_days * daySeconds * 1_000)
      const row = { requested_at: time, delete_at: deleteAt }
      await insertUserDeletion(trx, key, row, deletionRequestedEvent({ ...user, site, time }, deleteAt))
      return { delete_at: toTimestamp(deleteAt) }
    },
    async (trx) => {
      const { identifier } = await lockUserByIds(trx, site, ids)
      const row = await findUserDeletion(trx, { site, identifier })
      return { delete_at: row === undefined ? null : toTimestamp(row.delete_at) }
    },
  )

export const cancelUserDeletion: IdentityHandlers['cancelUserDeletion'] = async ({ site, command, ...ids }, { knex }) =>
  runCommand(
    knex,
    { site, command },
    async (trx) => {
      const user = await lockUserByIds(trx, site, ids)
      const key = { site, identifier: user.identifier }
      if ((await findUserDeletion(trx, key)) === undefined) return {}
      await deleteUserDeletion(trx, key, deletionCanceledEvent({ ...user, site, time: await readClock(trx) }))
      return {}
    },
    () => ({}),
  )
