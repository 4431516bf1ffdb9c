import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * A connection to an address that is not public, e.g. our own network, this host or a cloud's metadata service (SSRF).
 */
export class AddressBlocked extends Error {
  override readonly name = 'AddressBlocked'
  constructor(why: string) {
    super(`The connection was blocked: ${why}.`)
  }
}

/** Whether an address belongs to the public internet. Addresses that embed another one (NAT64, 6to4, Teredo) do not. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // All assigned unicast addresses of IPv6 (RFC 4291 2.4); the other ranges include old embeddings of IPv4.
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(ipaddr.IPv6.parseCIDR('2000::/3'))
}

type Resolve = (
  name: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Resolves names for connections. The connection uses the addresses that were checked, so that a name cannot change in
 * between (DNS rebinding). A name with any address that is not allowed is rejected.
 */
export function createCheckedLookup(
  isAllowed: (address: string) => boolean,
  resolve: Resolve = lookup,
): LookupFunction {
  return (name, { family, all }, callback) => {
    const lookupOptions = typeof family === 'number' ? { all: true as const, family } : { all: true as const }
    resolve(name, lookupOptions, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null) callback(error, '')
      else if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        callback(new AddressBlocked('the name has an address that is not public'), '')
      else if (all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
