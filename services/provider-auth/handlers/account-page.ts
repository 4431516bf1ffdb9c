import { Fault, type SiteAccountPage } from '#contracts'
import type { Deps, ProviderAuthHandlers } from '../deps.ts'
import { findAccountPage, storeAccountPage } from '../store/account-pages.ts'
import { buildAccountUri } from '../uris.ts'

type AccountPageHandlers = Pick<ProviderAuthHandlers, 'readAccountPage' | 'changeAccountPage'>

interface SiteNames {
  readonly site: number
  readonly account: string
  readonly site_id: string
}

export const accountPageHandlers: AccountPageHandlers = {
  readAccountPage: (site, deps) => describeAccountPage(site, deps),

  async changeAccountPage({ enabled, deletion_waiting_days, expected_revision, ...site }, deps) {
    const page = { site: site.site, enabled, deletion_waiting_days, expected_revision }
    if (!(await storeAccountPage(deps.knex, page))) throw new Fault('changed_meanwhile')
    return describeAccountPage(site, deps)
  },
}

async function describeAccountPage(site: SiteNames, { knex, hosts, auth_url }: Deps): Promise<SiteAccountPage> {
  const row = await findAccountPage(knex, site.site)
  const issuers = hosts.issuersOf(site)
  return {
    enabled: row?.enabled ?? false,
    deletion_waiting_days: row?.deletion_waiting_days ?? null,
    addresses: issuers.map((issuer) => buildAccountUri(issuer, issuer === auth_url ? site : undefined)),
    revision: row?.revision ?? 0,
  }
}
