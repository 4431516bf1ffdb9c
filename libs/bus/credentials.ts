import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
} from '@nats-io/transport-node'
import { ConfigError } from '#runtime'

/** Credentials and trusted certificates for NATS. The files are read again for each connection. */
export interface BusFiles {
  readonly NATS_CREDS_FILE?: string | undefined
  readonly NATS_CA_FILE?: string | undefined
  readonly NATS_CERT_FILE?: string | undefined
  readonly NATS_KEY_FILE?: string | undefined
}

/**
 * Returns the NATS connection options: servers, user and TLS. A TLS file requires TLS, as `tls://` does.
 *
 * @throws ConfigError if TLS is required and a server is an IP address, because the client does not verify certificates for it
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
  const requiresTls = first?.protocol === 'tls:' || Object.keys(tls).length > 0
  if (requiresTls && urls.some(({ hostname }) => isIP(hostname.replace(/^\[|\]$/g, '')))) {
    throw new ConfigError(['NATS_URL is invalid: TLS requires host names, not IP addresses.'])
  }
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...(first?.username ? { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) } : {}),
    ...(NATS_CREDS_FILE ? { authenticator: createAuthenticator(NATS_CREDS_FILE) } : {}),
    ...(requiresTls ? { tls } : {}),
  }
}

/** The file contains NATS credentials (JWT and seed), or the seed of an nkey. */
function createAuthenticator(file: string): Authenticator {
  return (nonce) => {
    const content = readFileSync(file)
    const isSeed = content.toString().trimStart().startsWith('SU')
    const sign = isSeed ? nkeyAuthenticator(Buffer.from(content.toString().trim())) : credsAuthenticator(content)
    return sign(nonce)
  }
}
