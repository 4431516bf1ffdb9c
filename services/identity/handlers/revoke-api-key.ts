import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { updateToRevoked } from '../store/api-keys.ts'
import { touchSite } from '../store/sites.ts'

export const revokeApiKey: IdentityHandlers['revokeApiKey'] = async (key, deps) => {
  await commitSiteChange(deps, async (trx, revision) => {
    if (!(await touchSite(trx, key.site, revision))) throw new Fault('entity_not_found')
    if (!(await updateToRevoked(trx, key))) throw new Fault('entity_not_found')
  })
  return {}
}
