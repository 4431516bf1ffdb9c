import type { SiteName } from '../admin/types.ts'

/** Addresses of pages. */
export const placeOf = {
  accounts: '/accounts',
  health: '/health',
  operators: '/operators',
  whole_audit: '/audit',
  account: (account: string) => `/accounts/${account}`,
  site: ({ account, site_id }: SiteName) => `/accounts/${account}/sites/${site_id}`,
  client: (site: SiteName, clientId: string) => `${placeOf.site(site)}/clients/${encodeURIComponent(clientId)}`,
  provider: (site: SiteName, provider: string) => `${placeOf.site(site)}/providers/${provider}`,
  user: (site: SiteName, identifier: string) => `${placeOf.site(site)}/users/${encodeURIComponent(identifier)}`,
}
