import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Where nobody is to be led by a name or an address: our own network, this machine, a cloud's metadata and the like. */
export class AddressBlocked extends Error {
  constructor(why: string) {
    super(`No connection is made there: ${why}.`)
    this.name = 'AddressRefused'
  }
}

/** Whether an address is of the public internet. What is embedded in another (NAT64, 6to4, Teredo) is not taken for it. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // All that is assigned of IPv6 (RFC 4291 2.4); the rest holds IPv4 in old disguises.
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(ipaddr.IPv6.parseCIDR('2000::/3'))
}

type Resolve = (
  name: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Resolves names for connections: the addresses it checked are the ones connected to, so that a name cannot point elsewhere
 * between the two. One address that is not public spoils the name.
 */
export function createPublicLookup(resolve: Resolve = lookup): LookupFunction {
  return (name, { family, all }, callback) => {
    const lookupOptions = typeof family === 'number' ? { all: true as const, family } : { all: true as const }
    resolve(name, lookupOptions, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null) callback(error, '')
      else if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        callback(new AddressBlocked('the name has an address that is not public'), '')
      else if (all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
