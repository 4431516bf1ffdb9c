import type { Knex } from 'knex'
import { lockLinkForStoring, transaction } from '#database'
import { type LinkKey, type Status, upsertStatuses } from './statuses.ts'

/** Stores a status, unless a newer one is stored or the link is deleted. */
export async function storeStatus(knex: Knex, link: LinkKey, status: Status): Promise<void> {
  await transaction(knex, async (trx) => {
    if (await lockLinkForStoring(trx, { ...link, recorded_at: status.friendship_status_updated_at }))
      await upsertStatuses(trx, link.site, [{ ...status, link_id: link.link_id }])
  })
}
