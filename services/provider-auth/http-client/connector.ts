import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { AddressBlocked, createPublicLookup, isPublicAddress } from './public-addresses.ts'

/** How long a connection may take, TLS included. Our choice. */
const connectTimeoutMs = 2_000

/**
 * Connects to login providers: by TLS alone, and to public addresses alone. The simulator that stands in for them is the one
 * exception to both.
 */
export function createConnector(simulatorUrl: string | undefined): buildConnector.connector {
  const simulator = simulatorUrl === undefined ? undefined : new URL(simulatorUrl)
  const toSimulator = buildConnector({ timeout: connectTimeoutMs })
  const toPublic = buildConnector({ timeout: connectTimeoutMs, lookup: createPublicLookup() })
  return (target, connected) => {
    const { protocol, hostname, port } = target
    if (protocol === simulator?.protocol && hostname === removeBrackets(simulator.hostname) && port === simulator.port)
      return toSimulator(target, connected)
    if (protocol !== 'https:') return connected(new AddressBlocked('it is not https'), null)
    // An address that stands there itself is not looked up.
    if (isIP(hostname) !== 0 && !isPublicAddress(hostname))
      return connected(new AddressBlocked('the address is not public'), null)
    return toPublic(target, connected)
  }
}

/** A host as connections have it: IPv6 without brackets. */
function removeBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
