import { countDeleted, deleteSiteRows, markSiteDeleted, readDeletedRows } from '#database'
import type { ProviderAuthHandlers } from '../deps.ts'
import { changeHosts, listSiteHosts, releaseHost } from '../store/site-hosts.ts'

type SiteHandlers = Pick<ProviderAuthHandlers, 'closeSite' | 'deleteSite'>

/**
 * Tokens first, so that the deletion of a client has few rows to follow. Released hosts remain: their requests are rejected until
 * another site proves the host.
 */
const tables = [
  'access_tokens',
  'authorization_codes',
  'one_time_tokens',
  'association_tokens',
  'used_id_tokens',
  'data_recipients',
  'credentials',
  'deleted_link_data',
  'data_deletions',
  'prepared_callback_rules',
  'provider_settings',
  'login_provider_identifiers',
  'site_looks',
  'site_look_versions',
  'site_pictures',
  'account_pages',
  'site_terms',
  'shared_hosts',
  'host_uses',
  'clients',
  'pending_events',
]

export const siteDeletionHandlers: SiteHandlers = {
  async closeSite({ site }, deps) {
    await changeHosts(deps.knex, async (trx, revision) => {
      await markSiteDeleted(trx, site)
      await countDeleted(trx, site, 'provider_settings', await trx('provider_settings').where({ site }).delete())
      for (const host of await listSiteHosts(trx, site)) await releaseHost(trx, host, revision)
    })
    await deps.hosts.refresh()
    return {}
  },

  async deleteSite({ site }, { knex }) {
    const done = await deleteSiteRows(knex, site, tables)
    return { done, deleted: await readDeletedRows(knex, site) }
  },
}
