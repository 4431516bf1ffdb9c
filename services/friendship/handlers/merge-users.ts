import { transaction } from '#database'
import type { FriendshipHandlers } from '../deps.ts'
import { hand, lockHeir } from '../heirs.ts'
import { lockStatus, updateStatus } from '../statuses.ts'

export const mergeUsers: FriendshipHandlers['mergeUsers'] = async (input, { knex }) => {
  const { site, source, destination, providers } = input
  const from = { site, identifier: source }
  const merged_at = new Date(input.merged_at)
  const moved = providers.includes('messaging')
  await transaction(knex, async (trx) => {
    const { forgotten, friendship_status, friendship_status_updated_at } = await lockStatus(trx, from)
    if (forgotten) return
    // The destination may have been merged on, if this is told late.
    const heir = await lockHeir(trx, { site, identifier: destination })
    if (moved && friendship_status !== null && friendship_status_updated_at !== null)
      await hand(trx, heir, { friendship_status, friendship_status_updated_at, brought_at: merged_at })
    await updateStatus(trx, from, {
      friendship_status: null,
      // What arrives late is handed on only if it came by an account that moved.
      friendship_status_updated_at: moved ? null : merged_at,
      brought_at: null,
      forgotten: true,
      merged_into: destination,
      merged_at,
    })
  })
  return {}
}
