import type { IdentityHandlers } from '../deps.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { markSiteClosed } from '../store/closed-sites.ts'

export const closeSite: IdentityHandlers['closeSite'] = async ({ site }, deps) => {
  await commitSiteChange(deps, (trx, revision) => markSiteClosed(trx, site, revision))
  return {}
}
