import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
} from '@nats-io/transport-node'
import { ConfigError } from '#runtime'

/** Files that say who a process is at NATS and whom it trusts there. All of them are read at every connection anew. */
export interface BusFiles {
  readonly NATS_CREDS_FILE?: string | undefined
  readonly NATS_CA_FILE?: string | undefined
  readonly NATS_CERT_FILE?: string | undefined
  readonly NATS_KEY_FILE?: string | undefined
}

/**
 * Options of a connection to NATS: servers, user and TLS. A file for TLS insists on TLS, as `tls://` does.
 *
 * @throws ConfigError for a server that is an IP address where TLS is insisted on: the client compares no certificate with it
 */
export function connectionOptions(
  url: string,
  { NATS_CREDS_FILE, NATS_CA_FILE, NATS_CERT_FILE, NATS_KEY_FILE }: BusFiles,
): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls' | 'authenticator'> {
  const urls = url.split(',').map((one) => new URL(one))
  const [first] = urls
  const tls = {
    ...(NATS_CA_FILE ? { caFile: NATS_CA_FILE } : {}),
    ...(NATS_CERT_FILE ? { certFile: NATS_CERT_FILE } : {}),
    ...(NATS_KEY_FILE ? { keyFile: NATS_KEY_FILE } : {}),
  }
  const insists = first?.protocol === 'tls:' || Object.keys(tls).length > 0
  if (insists && urls.some(({ hostname }) => isIP(hostname.replace(/^\[|\]$/g, '')))) {
    throw new ConfigError(['NATS_URL is wrong: with TLS a server is named by its host name, not by an IP address.'])
  }
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...(first?.username ? { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) } : {}),
    ...(NATS_CREDS_FILE ? { authenticator: authenticatorOf(NATS_CREDS_FILE) } : {}),
    ...(insists ? { tls } : {}),
  }
}

/** The file holds what NATS calls credentials (a JWT and a seed), or the seed of an nkey alone. */
function authenticatorOf(file: string): Authenticator {
  return (nonce) => {
    const held = readFileSync(file)
    const isSeed = held.toString().trimStart().startsWith('SU')
    const sign = isSeed ? nkeyAuthenticator(Buffer.from(held.toString().trim())) : credsAuthenticator(held)
    return sign(nonce)
  }
}
