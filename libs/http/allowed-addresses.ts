import { BlockList } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether a caller may use this address; undefined: the address is unknown. */
export type AddressRule = (address: string | undefined) => boolean

/**
 * Compiles a site's allowed addresses and CIDR blocks; an empty list allows every address. IPv4-mapped IPv6 counts as
 * IPv4, and `::/0` contains no IPv4 address. A list with an invalid entry allows no address, because its intent is unknown.
 */
export function compileAddresses(entries: readonly string[]): AddressRule {
  if (entries.length === 0) return () => true
  // Two lists: a `BlockList` matches IPv4 addresses against an IPv6 block that contains `::ffff:0:0/96`.
  const allowed = { ipv4: new BlockList(), ipv6: new BlockList() }
  try {
    for (const entry of entries) {
      const { network, bits, family } = readBlock(entry)
      allowed[family].addSubnet(network, bits, family)
    }
  } catch {
    return () => false
  }
  return (address) => {
    if (address === undefined) return false
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    return allowed[family].check(address, family)
  }
}

/** Compiles private addresses and blocks that an operator allows; undefined if there are none. */
export function compilePrivateAddresses(entries: readonly string[]): AddressRule | undefined {
  return entries.length === 0 ? undefined : compileAddresses(entries)
}

const mappedBits = 96

/** @throws Error when the entry is neither an address nor a block */
function readBlock(entry: string): { network: string; bits: number; family: 'ipv4' | 'ipv6' } {
  const [text = '', prefix] = entry.split('/', 2)
  const address = ipaddr.parse(text)
  const bits = prefix === undefined ? (address.kind() === 'ipv4' ? 32 : 128) : ipaddr.parseCIDR(entry)[1]
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= mappedBits
  if (isMapped) return { network: address.toIPv4Address().toString(), bits: bits - mappedBits, family: 'ipv4' }
  return { network: address.toString(), bits, family: address.kind() }
}
