import type { SiteReference } from '../admin/types.ts'

/** Paths of pages. */
export const paths = {
  accounts: '/accounts',
  health: '/health',
  operators: '/operators',
  allAudit: '/audit',
  account: (account: string) => `/accounts/${account}`,
  noticeChannel: (account: string, channelId: string) => `${paths.account(account)}/notices/${channelId}`,
  /** Of an account; undefined: of the whole installation. */
  auditStreams: (account?: string) => `${account ? paths.account(account) : ''}/audit-streams`,
  auditStream: (account: string | undefined, streamId: string) => `${paths.auditStreams(account)}/${streamId}`,
  site: ({ account, site_id }: SiteReference) => `/accounts/${account}/sites/${site_id}`,
  settings: (site: SiteReference) => `${paths.site(site)}/settings`,
  /** The look with the preview of a page. */
  lookPreview: (site: SiteReference, page: string) =>
    `${paths.site(site)}/look?${new URLSearchParams({ preview: page })}`,
  client: (site: SiteReference, clientId: string) => `${paths.site(site)}/clients/${encodeURIComponent(clientId)}`,
  provider: (site: SiteReference, provider: string) => `${paths.site(site)}/providers/${provider}`,
  webhook: (site: SiteReference, endpointId: string) => `${paths.site(site)}/webhooks/${endpointId}`,
  logins: (site: SiteReference, query: Readonly<Record<string, string>> = {}) =>
    `${paths.site(site)}/logins?${new URLSearchParams(query)}`,
  login: (site: SiteReference, loginId: string) => `${paths.site(site)}/logins/${loginId}`,
  /** The request of a bulk change with conditions, by the names of the form. */
  bulkChange: (site: SiteReference, conditions: Readonly<Record<string, string>>) =>
    `${paths.site(site)}/bulk-changes?new&${new URLSearchParams(conditions)}`,
  /** The request of an export with columns and conditions, by the names of the form. */
  requestExport: (site: SiteReference, columns: readonly string[], conditions: Readonly<Record<string, string>>) =>
    `${paths.site(site)}/exports?new&${new URLSearchParams({ columns: columns.join(','), ...conditions })}`,
  heldData: (site: SiteReference, identifier: string) => `${paths.user(site, identifier)}/held-data`,
  erasure: (site: SiteReference, identifier: string) =>
    `${paths.site(site)}/erasures/${encodeURIComponent(identifier)}`,
  user: (site: SiteReference, identifier: string) => `${paths.site(site)}/users/${encodeURIComponent(identifier)}`,
}
