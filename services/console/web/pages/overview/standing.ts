import type { RequestFault } from '../../admin/fault.ts'
import { useRead } from '../../admin/queries.ts'
import type { ApiKey, Client, ProviderSettings, SiteName } from '../../admin/types.ts'

/** What of a site counts for its standing; undefined: not known yet, or not now. */
export interface Known {
  readonly users: number | undefined
  readonly clients: readonly Client[] | undefined
  readonly providers: readonly ProviderSettings[] | undefined
  readonly keys: readonly ApiKey[] | undefined
}

interface Standing {
  readonly known: Known
  /** Why some of it is not known. */
  readonly fault: RequestFault | undefined
  readonly again: () => void
}

export function useStanding(site: SiteName): Standing {
  const users = useRead('listUsers', { ...site, limit: 1 })
  const clients = useRead('listClients', site)
  const providers = useRead('listProviderSettings', site)
  const keys = useRead('listApiKeys', site)
  const failed = [users, clients, providers, keys].filter(({ error }) => error !== null)
  return {
    known: {
      users: users.data?.total,
      clients: clients.data?.clients,
      providers: providers.data?.providers,
      keys: keys.data?.keys,
    },
    fault: failed[0]?.error ?? undefined,
    again: () => {
      for (const query of failed) void query.refetch()
    },
  }
}

export const isReady = ({ enabled, missing }: ProviderSettings) => enabled && missing.length === 0
export const isLive = ({ revoked_at }: ApiKey) => revoked_at === null
