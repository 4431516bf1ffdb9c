import { transaction, upsertDeletedLinkData } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { removeLinkData } from '../remove-link-data.ts'
import { lockSettingsAndLinks } from '../store/lock-links.ts'
import { findProviderData } from '../store/provider-profiles.ts'

export const readProviderData: ProfileHandlers['readProviderData'] = async ({ site, link_ids }, deps) => ({
  data: Object.fromEntries(await findProviderData(deps.reader, deps, site, link_ids)),
})

export const deleteProviderData: ProfileHandlers['deleteProviderData'] = async ({ site, link_id, ...input }, deps) => {
  const obtainedUntil = new Date(input.obtained_until)
  await transaction(deps.knex, async (trx) => {
    await lockSettingsAndLinks(trx, site, [link_id])
    await upsertDeletedLinkData(trx, site, [link_id], obtainedUntil)
    await removeLinkData(trx, deps, site, [link_id], { obtained_until: obtainedUntil, combineAt: obtainedUntil })
  })
  return {}
}
