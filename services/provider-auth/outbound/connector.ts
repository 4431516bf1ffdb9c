import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { AddressRefused, isPublic, lookupPublic } from './addresses.ts'

/** How long a connection may take, TLS included. Our choice. */
const connect_timeout_ms = 2_000

/**
 * Connects to login providers: by TLS alone, and to public addresses alone. The simulator that stands in for them is the one
 * exception to both.
 */
export function createConnector(simulator_url: string | undefined): buildConnector.connector {
  const simulator = simulator_url === undefined ? undefined : new URL(simulator_url)
  const toSimulator = buildConnector({ timeout: connect_timeout_ms })
  const toPublic = buildConnector({ timeout: connect_timeout_ms, lookup: lookupPublic() })
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
