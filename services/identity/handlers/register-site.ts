import { limits } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { insertAccountIfMissing } from '../store/accounts.ts'
import { findSite, insertSite } from '../store/sites.ts'

const { requests_per_window } = limits

export const registerSite: IdentityHandlers['registerSite'] = async (names, deps) => {
  const registered = await findSite(deps.knex, names)
  if (registered !== undefined) return { site: registered, created: false }
  return commitSiteChange(deps, async (trx, revision) => {
    // Another caller may have registered it first; changes of sites are serialized.
    const earlier = await findSite(trx, names)
    if (earlier !== undefined) return { site: earlier, created: false }
    await insertAccountIfMissing(trx, { account: names.account, name: names.account })
    const { site } = await insertSite(trx, { ...names, kind: 'development', requests_per_window, revision })
    return { site, created: true }
  })
}
