import type { Executor } from '#database'
import type { Logger } from '#runtime'
import { storeHostUse } from '../store/host-uses.ts'

/** A client that a request named at a host; an empty host is the installation's own. */
type HostUse = Parameters<typeof storeHostUse>[1]

/** Records which clients use which hosts, so that an administrator sees who still uses one before it ends. */
export interface HostUses {
  readonly record: (use: HostUse) => void
}

/** Uses of a day in memory; beyond that, they may be stored again. Our choice. */
const maxUses = 100_000

/** Stores the first use of a day, in the background: a lost one is stored with the next request. */
export function createHostUses({ knex, logger }: { readonly knex: Executor; readonly logger: Logger }): HostUses {
  const recorded = new Set<string>()
  let day = ''
  return {
    record({ site, client_id, host }) {
      const today = new Date().toISOString().slice(0, 10)
      if (today !== day || recorded.size >= maxUses) recorded.clear()
      day = today
      const key = `${client_id} ${host}`
      if (recorded.has(key)) return
      recorded.add(key)
      storeHostUse(knex, { site, client_id, host }).catch((error: unknown) => {
        recorded.delete(key)
        logger.warn({ error }, 'the use of a host was not stored')
      })
    },
  }
}
