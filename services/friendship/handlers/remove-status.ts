import { transaction } from '#database'
import type { FriendshipHandlers } from '../deps.ts'
import { supersedes } from '../heirs.ts'
import { lockStatus, updateStatus } from '../statuses.ts'

export const removeStatus: FriendshipHandlers['removeStatus'] = async ({ unlinked_at, ...user }, { knex }) => {
  const removed = { friendship_status: null, friendship_status_updated_at: new Date(unlinked_at), brought_at: null }
  await transaction(knex, async (trx) => {
    const stored = await lockStatus(trx, user)
    if (stored.forgotten && stored.merged_into === null) return
    // Of a merged user only what arrives late is concerned: the merge left behind what was unlinked.
    if (supersedes(removed, stored)) await updateStatus(trx, user, removed)
  })
  return {}
}
