import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { AddressBlocked, createCheckedLookup, isPublicAddress } from './public-addresses.ts'

interface ConnectorOptions {
  /** Timeout of a connection, including TLS. */
  readonly timeoutMs: number
  /** Whether an address that is not public may be used, also without TLS. By default, none. */
  readonly isPrivateAllowed?: (address: string) => boolean
  /** Whether public addresses may be used without TLS, for what is neither secret nor trusted. */
  readonly allowsPlain?: boolean
}

/** Connects to addresses that others name: only over TLS, and only at public or explicitly allowed addresses (SSRF). */
export function createGuardedConnector({
  timeoutMs,
  isPrivateAllowed = () => false,
  allowsPlain = false,
}: ConnectorOptions): buildConnector.connector {
  const isSecureAllowed = (address: string) => isPublicAddress(address) || isPrivateAllowed(address)
  const isAllowed = { 'https:': isSecureAllowed, 'http:': allowsPlain ? isSecureAllowed : isPrivateAllowed }
  const connect = {
    'https:': buildConnector({ timeout: timeoutMs, lookup: createCheckedLookup(isAllowed['https:']) }),
    'http:': buildConnector({ timeout: timeoutMs, lookup: createCheckedLookup(isAllowed['http:']) }),
  }
  return (target, connected) => {
    const { protocol, hostname } = target
    if (protocol !== 'https:' && protocol !== 'http:') return connected(new AddressBlocked('it is not https'), null)
    // IP addresses in URLs are not resolved, so they are checked here.
    if (isIP(hostname) !== 0 && !isAllowed[protocol](hostname)) {
      const reason = protocol === 'http:' ? 'it is not https' : 'the address is not public'
      return connected(new AddressBlocked(reason), null)
    }
    return connect[protocol](target, connected)
  }
}
