import type { z } from 'zod'
import { type AdminApi, createReason } from '#admin-api'
import type { SiteDetails } from '#contracts'
import { compileAddresses } from '#http'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { type ApiCaller, listCallers } from './key-usage.ts'

type Confirmed = NonNullable<z.output<AdminApi['changeSite']['input']>['confirm']>

const maxListedAddresses = 10

/** Callers that the current list allows and the new one does not. */
function findBlockedCallers(
  list: readonly string[],
  current: readonly string[],
  callers: readonly ApiCaller[],
): ApiCaller[] {
  const [willBeAllowed, isAllowed] = [compileAddresses(list), compileAddresses(current)]
  return callers.filter(({ address }) => isAllowed(address) && !willBeAllowed(address))
}

/** @throws AdminFault `conflict` if the list would block callers of the last seven days, unless that is confirmed */
export async function rejectBlockedCallers(
  { site, allowed_addresses }: Pick<SiteDetails, 'site' | 'allowed_addresses'>,
  list: readonly string[],
  confirmed: Confirmed,
  deps: Pick<Deps, 'knex' | 'now'>,
): Promise<void> {
  if (confirmed.includes('block_callers')) return
  const blocked = findBlockedCallers(list, allowed_addresses, (await listCallers(site, deps)).callers)
  if (blocked.length === 0) return
  const named = blocked.slice(0, maxListedAddresses).map(({ address }) => address)
  const addresses = [...named, ...(blocked.length > named.length ? ['…'] : [])].join(', ')
  const reason = createReason('callers_blocked', { count: String(blocked.length), addresses })
  throw new AdminFault('conflict', { field: 'allowed_addresses', reason })
}

/** @throws AdminFault `conflict` if a new block allows every address, unless that is confirmed */
export function rejectOpenBlocks(list: readonly string[], before: readonly string[], confirmed: Confirmed): void {
  const openBlock = list.find((block) => block.endsWith('/0') && !before.includes(block))
  if (openBlock === undefined || confirmed.includes('allow_all_addresses')) return
  const family = openBlock.includes(':') ? 'IPv6' : 'IPv4'
  const reason = createReason('all_addresses_allowed', { block: openBlock, family })
  throw new AdminFault('conflict', { field: 'allowed_addresses', reason })
}
