import { buildConnector } from 'undici'
import { createGuardedConnector } from '#http-client'

/** Timeout of a connection, including TLS. Our choice. */
const connectTimeoutMs = 2_000

/**
 * Connects to login providers only over TLS and only at public addresses. The simulator is the one exception to both.
 *
 * @param internalUrl where to connect for `simulatorUrl`, if it is the simulator's address only for browsers
 * @param isPrivateAllowed other addresses that may be private, also without TLS
 */
export function createConnector(
  simulatorUrl: string | undefined,
  internalUrl: string | undefined,
  isPrivateAllowed: (address: string) => boolean = () => false,
): buildConnector.connector {
  const simulator = simulatorUrl === undefined ? undefined : new URL(simulatorUrl)
  const internal = internalUrl === undefined ? {} : toTarget(new URL(internalUrl))
  const toSimulator = buildConnector({ timeout: connectTimeoutMs })
  const toPublic = createGuardedConnector({ timeoutMs: connectTimeoutMs, isPrivateAllowed })
  return (target, connected) => {
    const { protocol, hostname, port } = target
    if (protocol === simulator?.protocol && hostname === removeBrackets(simulator.hostname) && port === simulator.port)
      return toSimulator({ ...target, ...internal }, connected)
    return toPublic(target, connected)
  }
}

function toTarget({ protocol, hostname, host, port }: URL) {
  return { protocol, hostname: removeBrackets(hostname), host, port }
}

/** Removes the brackets of an IPv6 address. */
function removeBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
