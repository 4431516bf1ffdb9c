import { transaction, upsertDeletedLinkData } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { removeLinkData } from '../remove-link-data.ts'
import { deleteOwners } from '../store/links.ts'
import { lockSettingsAndLinks } from '../store/lock-links.ts'
import { lockProfile, markDeleted } from '../store/profiles.ts'

export const deleteLinks: ProfileHandlers['deleteLinks'] = async (input, deps) => {
  const { site, identifier, link_ids, profile } = input
  const user = { site, identifier }
  const deletedAt = new Date(input.deleted_at)
  const combined = profile === 'combine' ? { combineAt: deletedAt } : {}
  await transaction(deps.knex, async (trx) => {
    await lockSettingsAndLinks(trx, site, link_ids)
    if (link_ids.length === 0) {
      if (profile === 'delete') await markDeleted(trx, await lockProfile(trx, deps, user), deletedAt)
      return
    }
    await upsertDeletedLinkData(trx, site, link_ids, 'infinity')
    const removal = { obtained_until: 'infinity', user: identifier, ...combined } as const
    const locked = await removeLinkData(trx, deps, site, link_ids, removal)
    await deleteOwners(trx, site, link_ids)
    const stored = locked.find((one) => one.identifier === identifier)
    if (profile === 'delete' && stored !== undefined) await markDeleted(trx, stored, deletedAt)
  })
  return {}
}
