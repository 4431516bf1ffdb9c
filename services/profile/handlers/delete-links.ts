import { lockLinks, transaction, upsertDeletedLinkData } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { removeLinkData } from '../remove-link-data.ts'
import { deleteOwners } from '../store/links.ts'
import { noData, updateProfile } from '../store/profiles.ts'

export const deleteLinks: ProfileHandlers['deleteLinks'] = async (input, { knex }) => {
  const { site, identifier, link_ids, profile } = input
  const user = { site, identifier }
  const combined = profile === 'combine' ? { combineAt: new Date(input.deleted_at) } : {}
  await transaction(knex, async (trx) => {
    await lockLinks(trx, link_ids)
    await upsertDeletedLinkData(trx, link_ids, 'infinity')
    await removeLinkData(trx, link_ids, { obtained_until: 'infinity', user, ...combined })
    await deleteOwners(trx, link_ids)
    if (profile === 'delete') await updateProfile(trx, user, { ...noData, prohibited: false, deleted: true })
  })
  return {}
}
