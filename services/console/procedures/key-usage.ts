import type { z } from 'zod'
import type { ApiKey } from '#admin-api'
import { toTimestamp } from '#runtime'
import type { Deps } from '../deps.ts'
import { listLastUses, sumCallers } from '../insight/callers.ts'

/** What shows whether a key can be revoked. */
export type KeyUsage = Pick<
  z.output<typeof ApiKey>,
  'last_used_at' | 'calls_last_hour' | 'share_last_hour' | 'callers_last_hour'
>

const hour_ms = 3_600_000
const callers_told = 20

/** Of a key that nobody uses. */
export const unused: KeyUsage = {
  last_used_at: null,
  calls_last_hour: 0,
  share_last_hour: 0,
  callers_last_hour: [],
}

/** How the keys of a site are used, by their ids; those that were never used are absent. Some seconds old at most. */
export async function readKeyUsage(
  site: number,
  { knex, now }: Pick<Deps, 'knex' | 'now'>,
): Promise<ReadonlyMap<string, KeyUsage>> {
  const since = new Date(now().getTime() - hour_ms)
  const [last_uses, callers] = await Promise.all([listLastUses(knex, site), sumCallers(knex, { site, since })])
  const calls_of_site = sum(callers)
  return new Map(
    last_uses.map(({ api_key_id, last_used_at }) => {
      const own = callers.filter((caller) => caller.api_key_id === api_key_id)
      const calls = sum(own)
      const told = own.flatMap(({ address, calls }) => (address === null ? [] : [{ address, calls }]))
      return [
        api_key_id,
        {
          last_used_at: toTimestamp(last_used_at),
          calls_last_hour: calls,
          share_last_hour: calls_of_site === 0 ? 0 : calls / calls_of_site,
          callers_last_hour: told.slice(0, callers_told),
        },
      ]
    }),
  )
}

function sum(counts: readonly { readonly calls: number }[]): number {
  return counts.reduce((total, { calls }) => total + calls, 0)
}
