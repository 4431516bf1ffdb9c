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
  if (recent?.text !== text) recent = { text, address: canonicalAddress(text) }
  return recent.address
}

/** The address that was parsed last: a customer's servers, or a proxy, send many requests in a row. */
let recent: { readonly text: string; readonly address: string | undefined } | undefined

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

/** The key for limits per address: an IPv4 address, or a /64, which usually belongs to one IPv6 caller. */
export function addressGroupOf(address: string | undefined): string {
  const canonical = address === undefined ? undefined : canonicalAddress(address)
  if (canonical === undefined) return 'unknown'
  if (!canonical.includes(':')) return canonical
  return ipaddr.IPv6.networkAddressFromCIDR(`${canonical}/64`).toString()
}
