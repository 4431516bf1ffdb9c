import { countDeleted, deleteSiteRows, markSiteDeleted, passFreeze, readDeletedRows } from '#database'
import type { ProviderAuthHandlers } from '../deps.ts'
import { providerAuthTables } from '../site-tables.ts'
import { changeHosts, listSiteHosts, releaseHost } from '../store/site-hosts.ts'

type SiteHandlers = Pick<ProviderAuthHandlers, 'closeSite' | 'deleteSite'>

export const siteDeletionHandlers: SiteHandlers = {
  async closeSite({ site }, deps) {
    await changeHosts(deps.knex, async (trx, revision) => {
      // Also of a site that moved to another cell.
      await passFreeze(trx)
      await markSiteDeleted(trx, site)
      await countDeleted(trx, site, 'provider_settings', await trx('provider_settings').where({ site }).delete())
      for (const host of await listSiteHosts(trx, site)) await releaseHost(trx, host, revision)
    })
    await deps.hosts.refresh()
    return {}
  },

  async deleteSite({ site }, { knex }) {
    const done = await deleteSiteRows(knex, site, providerAuthTables)
    return { done, deleted: await readDeletedRows(knex, site) }
  },
}
