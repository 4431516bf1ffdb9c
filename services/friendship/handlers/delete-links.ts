import { lockLinks, transaction, upsertDeletedLinkData } from '#database'
import type { FriendshipHandlers } from '../deps.ts'
import { deleteStatuses } from '../statuses.ts'

export const deleteLinks: FriendshipHandlers['deleteLinks'] = async ({ site, link_ids }, { knex }) => {
  if (link_ids.length === 0) return {}
  await transaction(knex, async (trx) => {
    await lockLinks(trx, link_ids)
    await upsertDeletedLinkData(trx, site, link_ids, 'infinity')
    await deleteStatuses(trx, site, link_ids)
  })
  return {}
}
