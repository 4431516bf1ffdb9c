import type { RequestFault } from '../../admin/fault.ts'
import { useRead } from '../../admin/queries.ts'
import type { ApiKey, Client, ProviderSettings, SiteReference } from '../../admin/types.ts'

/** Data for the overview; undefined: not loaded, or unavailable. */
export interface SiteData {
  readonly users: number | undefined
  readonly clients: readonly Client[] | undefined
  readonly providers: readonly ProviderSettings[] | undefined
  readonly keys: readonly ApiKey[] | undefined
}

interface SiteDataResult {
  readonly data: SiteData
  /** Why some data is unavailable. */
  readonly fault: RequestFault | undefined
  readonly retry: () => void
}

export function useSiteData(site: SiteReference): SiteDataResult {
  const users = useRead('listUsers', { ...site, limit: 1 })
  const clients = useRead('listClients', site)
  const providers = useRead('listProviderSettings', site)
  const keys = useRead('listApiKeys', site)
  const failed = [users, clients, providers, keys].filter(({ error }) => error !== null)
  return {
    data: {
      users: users.data?.total ?? undefined,
      clients: clients.data?.clients,
      providers: providers.data?.providers,
      keys: keys.data?.keys,
    },
    fault: failed[0]?.error ?? undefined,
    retry: () => {
      for (const query of failed) void query.refetch()
    },
  }
}

export const isReady = ({ enabled, missing }: ProviderSettings) => enabled && missing.length === 0
export const isActive = ({ revoked_at }: ApiKey) => revoked_at === null
