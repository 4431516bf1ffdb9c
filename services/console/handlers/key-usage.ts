import type { z } from 'zod'
import type { ApiKey, adminApi } from '#admin-api'
import { limits } from '#contracts'
import { toTimestamp } from '#runtime'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'
import { listLastUses, sumAddresses, sumCallers } from '../store/usage-callers.ts'

/** Recent usage of a key. */
export type KeyUsage = Pick<
  z.infer<typeof ApiKey>,
  'last_used_at' | 'calls_last_hour' | 'share_last_hour' | 'callers_last_hour'
>

export const unusedKey: KeyUsage = { last_used_at: null, calls_last_hour: 0, share_last_hour: 0, callers_last_hour: [] }

type Usage = Pick<Deps, 'knex' | 'now'>

const hourSeconds = 3_600
const maxListedCallers = 20

/** Reads the usage of a site's keys, by api_key_id; keys that were never used are absent. The data is at most some seconds old. */
export async function readKeyUsage(site: number, { knex, now }: Usage): Promise<ReadonlyMap<string, KeyUsage>> {
  const since = addSeconds(now(), -hourSeconds)
  const [lastUses, callers] = await Promise.all([listLastUses(knex, site), sumCallers(knex, { site, since })])
  const callsOfSite = sum(callers)
  const summarize = (apiKeyId: string) => {
    const callersOfKey = callers.filter((caller) => caller.api_key_id === apiKeyId)
    const calls = sum(callersOfKey)
    return {
      calls_last_hour: calls,
      share_last_hour: callsOfSite === 0 ? 0 : calls / callsOfSite,
      callers_last_hour: callersOfKey.filter(hasAddress).slice(0, maxListedCallers).map(omitKey),
    }
  }
  return new Map(
    lastUses.map(({ api_key_id, last_used_at }) => [
      api_key_id,
      { last_used_at: toTimestamp(last_used_at), ...summarize(api_key_id) },
    ]),
  )
}

/** A caller of a site's Web API in the last seven days. */
export type ApiCaller = Omit<
  z.infer<(typeof adminApi)['previewAllowedAddresses']['output']>['blocked'][number],
  'allowed_now'
>

/**
 * Lists the callers of a site's Web API in the last seven days, most calls first. `unattributed_calls` counts calls from addresses that
 * were not stored individually because there were too many.
 */
export async function listCallers(
  site: number,
  { knex, now }: Usage,
): Promise<{ callers: readonly ApiCaller[]; unattributed_calls: number }> {
  const since = addSeconds(now(), -limits.usage_callers_seconds)
  const sums = await sumAddresses(knex, { site, since })
  return {
    callers: sums
      .filter(hasAddress)
      .map(({ address, calls, last_at }) => ({ address, calls, last_called_at: toTimestamp(last_at) })),
    unattributed_calls: sum(sums.filter((caller) => !hasAddress(caller))),
  }
}

function hasAddress<C extends { readonly address: string | null }>(
  caller: C,
): caller is C & { readonly address: string } {
  return caller.address !== null
}

function omitKey({ address, calls }: { readonly address: string; readonly calls: number }) {
  return { address, calls }
}

function sum(counts: readonly { readonly calls: number }[]): number {
  return counts.reduce((total, { calls }) => total + calls, 0)
}
