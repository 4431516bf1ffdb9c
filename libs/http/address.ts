import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/**
 * The caller's address in its canonical text: the socket's peer, or behind `trusted_hops` proxies the entry of
 * `X-Forwarded-For` that the outermost trusted proxy wrote, counted from the right. IPv4 in IPv6 is told as IPv4. Undefined
 * when there is no such entry or it is not an address: then nobody may take the caller for allowed.
 */
export function callerAddress(request: IncomingMessage, trusted_hops: number): string | undefined {
  const text = trusted_hops === 0 ? request.socket.remoteAddress : forwardedFor(request).at(-trusted_hops)
  return text === undefined ? undefined : canonicalAddress(text)
}

/** IPv4 in dotted decimal or IPv6 without a zone; undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined
  if (text.includes('%')) return undefined
  return ipaddr.process(text).toString()
}

function forwardedFor(request: IncomingMessage): string[] {
  const header = request.headers['x-forwarded-for']
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  return text.split(',').map((entry) => entry.trim())
}
