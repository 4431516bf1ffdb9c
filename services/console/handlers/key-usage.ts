import type { z } from 'zod'
import type { ApiKey, adminApi } from '#admin-api'
import { limits } from '#contracts'
import { toTimestamp } from '#runtime'
import type { Deps } from '../deps.ts'
import { secondsAfter } from '../domain/lives.ts'
import { listLastUses, sumAddresses, sumCallers } from '../store/usage-callers.ts'

/** What is known of how a key is used. */
export type KeyUsage = Pick<
  z.infer<typeof ApiKey>,
  'last_used_at' | 'calls_last_hour' | 'share_last_hour' | 'callers_last_hour'
>

export const unused: KeyUsage = { last_used_at: null, calls_last_hour: 0, share_last_hour: 0, callers_last_hour: [] }

type Usage = Pick<Deps, 'knex' | 'now'>

const hourSeconds = 3_600
const callersTold = 20

/** How a site's keys are used, by api_key_id; a key that is absent is not. Some seconds old at most. */
export async function keyUsage(site: number, { knex, now }: Usage): Promise<ReadonlyMap<string, KeyUsage>> {
  const since = secondsAfter(now(), -hourSeconds)
  const [lastUses, callers] = await Promise.all([listLastUses(knex, site), sumCallers(knex, { site, since })])
  const callsOfSite = sum(callers)
  const usageOf = (apiKeyId: string) => {
    const own = callers.filter((caller) => caller.api_key_id === apiKeyId)
    const calls = sum(own)
    return {
      calls_last_hour: calls,
      share_last_hour: callsOfSite === 0 ? 0 : calls / callsOfSite,
      callers_last_hour: own.filter(isTold).slice(0, callersTold).map(withoutKey),
    }
  }
  return new Map(
    lastUses.map(({ api_key_id, last_used_at }) => [
      api_key_id,
      { last_used_at: toTimestamp(last_used_at), ...usageOf(api_key_id) },
    ]),
  )
}

/** A caller of a site's Web API in the last seven days. */
export type Caller = Omit<
  z.infer<(typeof adminApi)['rehearseAllowedAddresses']['output']>['refused'][number],
  'allowed_now'
>

/**
 * Who called a site's Web API in the last seven days, most calls first. `calls_unknown`: calls from addresses that were too
 * many to be told one by one.
 */
export async function callersOf(
  site: number,
  { knex, now }: Usage,
): Promise<{ callers: readonly Caller[]; calls_unknown: number }> {
  const since = secondsAfter(now(), -limits.usage_callers_seconds)
  const found = await sumAddresses(knex, { site, since })
  return {
    callers: found
      .filter(isTold)
      .map(({ address, calls, last_at }) => ({ address, calls, last_called_at: toTimestamp(last_at) })),
    calls_unknown: sum(found.filter((caller) => !isTold(caller))),
  }
}

function isTold<C extends { readonly address: string | null }>(caller: C): caller is C & { readonly address: string } {
  return caller.address !== null
}

function withoutKey({ address, calls }: { readonly address: string; readonly calls: number }) {
  return { address, calls }
}

function sum(counts: readonly { readonly calls: number }[]): number {
  return counts.reduce((total, { calls }) => total + calls, 0)
}
