import { lockLinks, transaction, upsertDeletedLinkData } from '#database'
import type { FriendshipHandlers } from '../deps.ts'
import { listStatuses } from '../statuses.ts'

export const prepareErasure: FriendshipHandlers['prepareErasure'] = async ({ site, link_ids }, { knex }) => {
  const statuses = await transaction(knex, async (trx) => {
    await lockLinks(trx, link_ids)
    await upsertDeletedLinkData(trx, site, link_ids, 'infinity')
    return listStatuses(trx, site, link_ids)
  })
  return { deleted: { friendship: statuses.length } }
}
