import ipaddr from 'ipaddr.js'

const ipv4Bits = 24
const ipv6Bits = 48

/** Returns the network of an address, which often belongs to one operator: `203.0.113.0/24`. Undefined: it is no address. */
export function networkOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv6) return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${ipv6Bits}`)}/${ipv6Bits}`
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${ipv4Bits}`)}/${ipv4Bits}`
}
