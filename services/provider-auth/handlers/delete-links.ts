import type { Handler } from '#bus'
import type { providerAuthContract } from '#contracts'
import { lockLinks, transaction, upsertDeletedLinkData } from '#database'
import type { Deps } from '../deps.ts'
import { deleteUserAssociations } from '../store/association-tokens.ts'
import { deleteLinkData } from '../store/link-data.ts'
import { enqueueProviderRevocation } from '../upstream/revocation/enqueue.ts'

type Procedure = (typeof providerAuthContract.procedures)['deleteLinks']

export const deleteLinks: Handler<Procedure, Deps> = async ({ link_ids, deleted_at, ...user }, deps) => {
  await transaction(deps.knex, async (trx) => {
    await lockLinks(trx, link_ids)
    await upsertDeletedLinkData(trx, user.site, link_ids, 'infinity')
    const logins = { site: user.site, link_ids, recorded_until: 'infinity' } as const
    await enqueueProviderRevocation(trx, deps, await deleteLinkData(trx, logins))
    await deleteUserAssociations(trx, user, new Date(deleted_at))
  })
  return {}
}
