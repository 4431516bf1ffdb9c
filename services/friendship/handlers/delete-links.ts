import { lockLinks, transaction, upsertDeletedLinkData } from '#database'
import type { FriendshipHandlers } from '../deps.ts'
import { deleteStatuses } from '../statuses.ts'

export const deleteLinks: FriendshipHandlers['deleteLinks'] = async ({ link_ids }, { knex }) => {
  await transaction(knex, async (trx) => {
    await lockLinks(trx, link_ids)
    await upsertDeletedLinkData(trx, link_ids, 'infinity')
    await deleteStatuses(trx, link_ids)
  })
  return {}
}
