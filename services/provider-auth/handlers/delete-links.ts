import { lockLinks, transaction, upsertDeletedLinkData } from '#database'
import type { ProviderAuthHandlers } from '../deps.ts'
import { deleteUserAssociations } from '../store/association-tokens.ts'
import { deleteLinkData } from '../store/link-data.ts'
import { enqueueProviderRevocation } from '../upstream/revocation/enqueue.ts'

export const deleteLinks: ProviderAuthHandlers['deleteLinks'] = async ({ link_ids, deleted_at, ...user }, deps) => {
  await transaction(deps.knex, async (trx) => {
    await lockLinks(trx, link_ids)
    await upsertDeletedLinkData(trx, user.site, link_ids, 'infinity')
    const logins = { site: user.site, link_ids, recorded_until: 'infinity' } as const
    await enqueueProviderRevocation(trx, deps, await deleteLinkData(trx, logins))
    await deleteUserAssociations(trx, user, new Date(deleted_at))
  })
  return {}
}
