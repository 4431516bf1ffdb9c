import { limits } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { enqueue, followNow } from '../followers.ts'
import { storeLess } from '../orders.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { insertSite } from '../store/sites.ts'

export const createSite: IdentityHandlers['createSite'] = async (site, deps, call) => {
  const { created, orders } = await commitSiteChange(deps, async (trx, revision) => {
    const created = await insertSite(trx, {
      ...site,
      requests_per_window: site.requests_per_window ?? limits.requests_per_window,
      revision,
    })
    const orders = Object.keys(created.profile_not_stored).length === 0 ? [] : [storeLess(created)]
    await enqueue(trx, orders)
    return { created, orders }
  })
  await followNow(deps, call, orders)
  return created
}
