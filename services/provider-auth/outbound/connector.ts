import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { AddressRefused, isPublic, lookupPublic } from './addresses.ts'

/** How long a connection may take, TLS included. Our choice. */
const connectTimeoutMs = 2_000

/**
 * Connects to login providers: by TLS alone, and to public addresses alone. The simulator that stands in for them is the one
 * exception to both.
 */
export function createConnector(simulatorUrl: string | undefined): buildConnector.connector {
  const simulator = simulatorUrl === undefined ? undefined : new URL(simulatorUrl)
  const toSimulator = buildConnector({ timeout: connectTimeoutMs })
  const toPublic = buildConnector({ timeout: connectTimeoutMs, lookup: lookupPublic() })
  return (target, connected) => {
    const { protocol, hostname, port } = target
    if (protocol === simulator?.protocol && hostname === bare(simulator.hostname) && port === simulator.port)
      return toSimulator(target, connected)
    if (protocol !== 'https:') return connected(new AddressRefused('it is not https'), null)
    // An address that stands there itself is not looked up.
    if (isIP(hostname) !== 0 && !isPublic(hostname))
      return connected(new AddressRefused('the address is not public'), null)
    return toPublic(target, connected)
  }
}

/** A host as connections have it: IPv6 without brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
