import { InvalidUrl, parseServersUrl, type ServerAddress } from './server-urls.ts'

/** Where Redis is: one server, the sentinels that know which server is the master, or servers of a Redis Cluster. */
export interface RedisUrl {
  /** Of Redis, of the sentinels, or of a cluster, whose other servers these know. */
  readonly servers: readonly ServerAddress[]
  readonly isCluster: boolean
  /** Undefined without sentinels. */
  readonly sentinel: SentinelUrl | undefined
  /** Whether all connections use TLS. */
  readonly tls: boolean
  readonly username: string | undefined
  readonly password: string | undefined
  /** The number of the logical database. */
  readonly database: number
}

interface SentinelUrl {
  /** The name by which the sentinels monitor the master. */
  readonly master: string
  /** Of the sentinels, if they require them; those of Redis can differ. */
  readonly username: string | undefined
  readonly password: string | undefined
}

const schemes = ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel', 'redis+cluster', 'rediss+cluster']
const sentinelForm = 'redis+sentinel://<host>:26379,<host>:26379/<name of the master>'
const clusterForm = 'redis+cluster://<host>:6379,<host>:6379'

/**
 * Parses `REDIS_URL`: `redis://[<user>:<password>@]<host>[:6379][/<database>]`,
 * `redis+cluster://[<user>:<password>@]<host>[:6379][,…]`, or
 * `redis+sentinel://[<user>:<password>@]<sentinel>[:26379][,…]/<name of the master>[/<database>]` with the parameters
 * `sentinel_username` and `sentinel_password`. `rediss` instead of `redis` requires TLS.
 *
 * @throws InvalidUrl
 */
export function parseRedisUrl(text: string): RedisUrl {
  const hasSentinels = /^rediss?\+sentinel:/.test(text)
  const { scheme, path, ...url } = parseServersUrl(text, hasSentinels ? 26_379 : 6_379)
  if (!schemes.includes(scheme)) throw new InvalidUrl(`must start with ${schemes.map((one) => `${one}://`).join(', ')}`)
  const isCluster = scheme.endsWith('+cluster')
  if (!hasSentinels && !isCluster && url.servers.length > 1)
    throw new InvalidUrl(
      `must have one server; several must be sentinels: ${sentinelForm}, or servers of a Redis Cluster: ${clusterForm}`,
    )
  if (isCluster && path !== '') throw new InvalidUrl('must have no database; a Redis Cluster has only database 0')
  const [master = '', database = '0', ...rest] = hasSentinels ? path.split('/') : ['', path || '0']
  if (hasSentinels && master === '') throw new InvalidUrl(`must end with the name of the master: ${sentinelForm}`)
  if (rest.length > 0 || !/^\d{1,5}$/.test(database)) throw new InvalidUrl('must have a number as its database')
  const known = hasSentinels ? ['sentinel_username', 'sentinel_password'] : []
  if ([...url.parameters.keys()].some((name) => !known.includes(name)))
    throw new InvalidUrl(`must have no parameters${hasSentinels ? ` but ${known.join(' and ')}` : ''}`)
  return {
    servers: url.servers,
    isCluster,
    sentinel: hasSentinels
      ? {
          master,
          username: url.parameters.get('sentinel_username') ?? undefined,
          password: url.parameters.get('sentinel_password') ?? undefined,
        }
      : undefined,
    tls: scheme.startsWith('rediss'),
    username: url.username,
    password: url.password,
    database: Number(database),
  }
}
