import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/**
 * Returns the caller's address in canonical form: the socket's peer, or behind `trustedHops` proxies the entry of
 * `X-Forwarded-For` that the outermost trusted proxy added, counted from the right, with or without a port. IPv4-mapped
 * IPv6 becomes IPv4. Undefined without a valid entry; such a caller must not count as allowed.
 */
export function callerAddress(request: IncomingMessage, trustedHops: number): string | undefined {
  const text = trustedHops === 0 ? request.socket.remoteAddress : parseForwardedFor(request).at(-trustedHops)
  if (text === undefined) return undefined
  const { socket } = request
  const parsedAddress = parsed.get(socket)
  if (parsedAddress?.text === text) return parsedAddress.address
  const address = canonicalAddress(text)
  parsed.set(socket, { text, address })
  return address
}

/** The address that was parsed last, by connection: most have requests of one caller. */
const parsed = new WeakMap<object, { readonly text: string; readonly address: string | undefined }>()

/** IPv4 in dotted decimal or IPv6 without a zone; undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined
  if (text.includes('%')) return undefined
  return ipaddr.process(text).toString()
}

function parseForwardedFor(request: IncomingMessage): string[] {
  const header = request.headers['x-forwarded-for']
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  return text.split(',').map((entry) => removePort(entry.trim()))
}

/** Some proxies write `192.0.2.1:80` and `[2001:db8::1]:80`, as RFC 7239 6 does, and brackets without a port. */
function removePort(entry: string): string {
  const [, ipv4, ipv6] = /^(?:([\d.]+):\d{1,5}|\[([\da-f.]*:[\da-f:.]*)\](?::\d{1,5})?)$/i.exec(entry) ?? []
  return ipv4 ?? ipv6 ?? entry
}

/**
 * The key for limits per address: an IPv4 address, or a /64, which usually belongs to one IPv6 caller.
 *
 * @param address in canonical form
 */
export function addressGroupOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (!address.includes(':')) return address
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()
}
