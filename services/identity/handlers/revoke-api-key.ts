import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { markApiKeyRevoked } from '../store/api-keys.ts'
import { updateSiteRevision } from '../store/sites.ts'

export const revokeApiKey: IdentityHandlers['revokeApiKey'] = async (key, deps) => {
  await commitSiteChange(deps, async (trx, revision) => {
    if (!(await updateSiteRevision(trx, key.site, revision))) throw new Fault('entity_not_found')
    if (!(await markApiKeyRevoked(trx, key))) throw new Fault('entity_not_found')
  })
  return {}
}
