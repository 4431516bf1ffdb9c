import { transaction, upsertDeletedLinkData } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { countErasableData } from '../store/erasable-data.ts'
import { lockSettingsAndLinks } from '../store/lock-links.ts'

export const prepareErasure: ProfileHandlers['prepareErasure'] = async ({ site, identifier, link_ids }, { knex }) => ({
  deleted: await transaction(knex, async (trx) => {
    await lockSettingsAndLinks(trx, site, link_ids)
    if (link_ids.length > 0) await upsertDeletedLinkData(trx, site, link_ids, 'infinity')
    return countErasableData(trx, { site, identifier }, link_ids)
  }),
})
