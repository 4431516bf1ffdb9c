import { Fault, type SiteAccountPage } from '#contracts'
import type { Deps, ProviderAuthHandlers } from '../deps.ts'
import { type AccountPageRow, findAccountPage, storeAccountPage } from '../store/account-pages.ts'
import { buildAccountUri } from '../uris.ts'

type AccountPageHandlers = Pick<ProviderAuthHandlers, 'readAccountPage' | 'changeAccountPage'>

interface SiteNames {
  readonly site: number
  readonly account: string
  readonly site_id: string
}

export const accountPageHandlers: AccountPageHandlers = {
  async readAccountPage(site, deps) {
    return describeAccountPage(site, (await findAccountPage(deps.knex, site.site)) ?? noPage, deps)
  },

  async changeAccountPage({ enabled, deletion_waiting_days, expected_revision, ...site }, deps) {
    const settings = { enabled, deletion_waiting_days }
    if (!(await storeAccountPage(deps.knex, { site: site.site, ...settings, expected_revision })))
      throw new Fault('changed_meanwhile')
    // Not read again, because another change can have followed.
    return describeAccountPage(site, { ...settings, revision: expected_revision + 1 }, deps)
  },
}

const noPage: AccountPageRow = { enabled: false, deletion_waiting_days: null, revision: 0 }

function describeAccountPage(site: SiteNames, page: AccountPageRow, { hosts, auth_url }: Deps): SiteAccountPage {
  const issuers = hosts.issuersOf(site)
  const addresses = issuers.map((issuer) => buildAccountUri(issuer, issuer === auth_url ? site : undefined))
  return { ...page, addresses }
}
