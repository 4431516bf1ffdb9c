import type { z } from 'zod'
import { type AdminApi, because } from '#admin-api'
import type { SiteDetails } from '#contracts'
import { compileAddresses } from '#http'
import type { Deps } from '../deps.ts'
import { AdminFault } from './admin-fault.ts'
import { type Caller, callersOf } from './key-usage.ts'

type Confirmed = NonNullable<z.output<AdminApi['changeSite']['input']>['confirm']>

const addressesNamed = 10

/** Callers that the current list allows and the new one does not. */
function blockedBy(list: readonly string[], inForce: readonly string[], callers: readonly Caller[]): Caller[] {
  const [willBeAllowed, isAllowed] = [compileAddresses(list), compileAddresses(inForce)]
  return callers.filter(({ address }) => isAllowed(address) && !willBeAllowed(address))
}

/** @throws AdminFault `conflict` if the list would block callers of the last seven days, unless that is confirmed */
export async function refuseBlockedCallers(
  { site, allowed_addresses }: Pick<SiteDetails, 'site' | 'allowed_addresses'>,
  list: readonly string[],
  confirmed: Confirmed,
  deps: Pick<Deps, 'knex' | 'now'>,
): Promise<void> {
  if (confirmed.includes('block_callers')) return
  const blocked = blockedBy(list, allowed_addresses, (await callersOf(site, deps)).callers)
  if (blocked.length === 0) return
  const named = blocked.slice(0, addressesNamed).map(({ address }) => address)
  const addresses = [...named, ...(blocked.length > named.length ? ['…'] : [])].join(', ')
  const reason = because('callers_blocked', { count: String(blocked.length), addresses })
  throw new AdminFault('conflict', { field: 'allowed_addresses', reason })
}

/** @throws AdminFault `conflict` if a new block allows every address, unless that is confirmed */
export function refuseEverybody(list: readonly string[], before: readonly string[], confirmed: Confirmed): void {
  const everybody = list.find((block) => block.endsWith('/0') && !before.includes(block))
  if (everybody === undefined || confirmed.includes('allow_everybody')) return
  const family = everybody.includes(':') ? 'IPv6' : 'IPv4'
  const reason = because('everybody_allowed', { block: everybody, family })
  throw new AdminFault('conflict', { field: 'allowed_addresses', reason })
}
