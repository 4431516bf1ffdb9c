import { useRoute } from 'wouter'
import { useRead } from '../admin/queries.ts'
import type { Account, Site } from '../admin/types.ts'
import { accountPages, consolePages, type Level, sitePages } from './page-list.ts'
import { paths } from './paths.ts'

/** Account and site of the current page, with the account's other sites. IDs replace names until these are loaded. */
export interface CurrentLocation {
  readonly account: Pick<Account, 'account' | 'name'> | undefined
  readonly site: (Pick<Site, 'site_id' | 'name'> & { readonly kind: Site['kind'] | undefined }) | undefined
  readonly sites: readonly Site[]
  /** The level that is open. */
  readonly level: Level
  /** Path segment after the site or account, for example `clients`; empty on its first page. */
  readonly section: string
  /** On a detail page of the section, such as that of a client. */
  readonly isDetailPage: boolean
}

export function useCurrentLocation(): CurrentLocation {
  const [, inAccount] = useRoute('/accounts/:account/*?')
  const [, inSite] = useRoute('/accounts/:account/sites/:site_id/*?')
  const account = inAccount?.account
  const siteId = inSite?.site_id
  const accounts = useRead('listAccounts', {}, { enabled: account !== undefined }).data?.accounts
  const sites = useRead('listSites', { account: account ?? '' }, { enabled: account !== undefined }).data?.sites ?? []
  const rest = (inSite ?? inAccount)?.['*'] ?? ''
  const [section = '', ...below] = rest.split('/')
  return {
    account: account === undefined ? undefined : { account, name: getAccountName(account, accounts) },
    site: siteId === undefined ? undefined : findSite(siteId, sites),
    sites,
    level: findLevel(account, siteId),
    section,
    isDetailPage: below.some((step) => step !== ''),
  }
}

function findLevel(account: string | undefined, siteId: string | undefined): Level {
  if (account === undefined) return { groups: consolePages, path: '' }
  if (siteId === undefined) return { groups: accountPages, path: paths.account(account) }
  return { groups: sitePages, path: paths.site({ account, site_id: siteId }) }
}

function getAccountName(account: string, accounts: readonly Account[] | undefined): string {
  return accounts?.find((one) => one.account === account)?.name ?? account
}

function findSite(siteId: string, sites: readonly Site[]): CurrentLocation['site'] {
  const { name = siteId, kind } = sites.find((one) => one.site_id === siteId) ?? {}
  return { site_id: siteId, name, kind }
}
