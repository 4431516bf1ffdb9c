import type { ConnectionOptions } from '@nats-io/transport-node'

/** What a NATS URL says: servers, the user named by the first of them, and whether there must be TLS. */
export function serversOf(url: string): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> {
  const urls = url.split(',').map((one) => new URL(one))
  const [first] = urls
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...(first?.username ? { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) } : {}),
    ...(first?.protocol === 'tls:' ? { tls: {} } : {}),
  }
}
