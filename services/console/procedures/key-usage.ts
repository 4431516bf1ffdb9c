import type { z } from 'zod'
import type { ApiKey, adminApi } from '#admin-api'
import type { Call } from '#bus'
import type { Deps } from '../deps.ts'

/** What is known of how a key is used. */
export type KeyUsage = Pick<
  z.infer<typeof ApiKey>,
  'last_used_at' | 'calls_last_hour' | 'share_last_hour' | 'callers_last_hour'
>

export const unused: KeyUsage = { last_used_at: null, calls_last_hour: 0, share_last_hour: 0, callers_last_hour: [] }

/** How a site's keys are used, by api_key_id; a key that is absent is not. */
export async function keyUsage(_site: number, _deps: Deps, _call: Call): Promise<ReadonlyMap<string, KeyUsage>> {
  return new Map()
}

/** A caller of a site's Web API in the last seven days. */
export type Caller = z.infer<(typeof adminApi)['rehearseAllowedAddresses']['output']>['refused'][number]

/** Who called a site's Web API in the last seven days, most calls first. */
export async function callersOf(_site: number, _deps: Deps, _call: Call): Promise<readonly Caller[]> {
  return []
}
