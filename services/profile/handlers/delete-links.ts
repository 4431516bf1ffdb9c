import { lockLinks, transaction, upsertDeletedLinkData } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { removeLinkData } from '../remove-link-data.ts'
import { deleteOwners } from '../store/links.ts'
import { markDeleted } from '../store/profiles.ts'

export const deleteLinks: ProfileHandlers['deleteLinks'] = async (input, { knex }) => {
  const { site, identifier, link_ids, profile } = input
  const user = { site, identifier }
  const deletedAt = new Date(input.deleted_at)
  const combined = profile === 'combine' ? { combineAt: deletedAt } : {}
  if (link_ids.length === 0) {
    if (profile === 'delete') await markDeleted(knex, user, deletedAt)
    return {}
  }
  await transaction(knex, async (trx) => {
    await lockLinks(trx, link_ids)
    await upsertDeletedLinkData(trx, site, link_ids, 'infinity')
    await removeLinkData(trx, site, link_ids, { obtained_until: 'infinity', user: identifier, ...combined })
    await deleteOwners(trx, site, link_ids)
    if (profile === 'delete') await markDeleted(trx, user, deletedAt)
  })
  return {}
}
