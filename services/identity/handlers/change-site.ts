import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { updateSite } from '../store/sites.ts'

export const changeSite: IdentityHandlers['changeSite'] = async ({ site, ...changes }, deps) => {
  await commitSiteChange(deps, async (trx, revision) => {
    if (!(await updateSite(trx, site, { ...changes, revision }))) throw new Fault('entity_not_found')
  })
  return {}
}
