import { readFileSync } from 'node:fs'
import type { RedisUrl } from './redis-url.ts'
import type { ServerAddress } from './server-urls.ts'

/** Where Redis is; its trusted CA certificates and, if Redis requires it, the process's client certificate. */
export interface RedisConfig {
  readonly REDIS_URL: RedisUrl
  readonly REDIS_CA_FILE?: string | undefined
  readonly REDIS_CERT_FILE?: string | undefined
  readonly REDIS_KEY_FILE?: string | undefined
}

/** Options of the client (ioredis) that depend on the settings, and not on what a service does with Redis. */
export interface RedisClientOptions {
  readonly host?: string
  readonly port?: number
  readonly sentinels?: ServerAddress[]
  readonly name?: string
  readonly sentinelUsername?: string
  readonly sentinelPassword?: string
  readonly sentinelCommandTimeout?: number
  readonly sentinelTLS?: object
  readonly enableTLSForSentinelMode?: boolean
  readonly username?: string
  readonly password?: string
  readonly db: number
  readonly tls?: object
  readonly reconnectOnError: (error: Error) => boolean
}

/** A sentinel that is silent for so long is skipped. Our choice. */
const sentinelSilenceMs = 1_000

/** TLS without the scheme `rediss` is required as well if a file is set. The files are read again for each connection. */
export function redisOptions({ REDIS_URL: url, ...files }: RedisConfig): RedisClientOptions {
  const { servers, sentinel, username, password, database } = url
  const [server] = servers
  const tls = createTls(url.tls, files)
  return {
    ...(sentinel === undefined
      ? { ...server }
      : {
          sentinels: [...servers],
          name: sentinel.master,
          ...(sentinel.username !== undefined && { sentinelUsername: sentinel.username }),
          ...(sentinel.password !== undefined && { sentinelPassword: sentinel.password }),
          sentinelCommandTimeout: sentinelSilenceMs,
          ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
        }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    db: database,
    ...(tls && { tls }),
    reconnectOnError: isDemoted,
  }
}

/**
 * Whether the server is no master any more, or a master without its replicas. The connection to it may stay open although
 * another server is the master, so that the client must connect again. In a script, other text precedes the code in Redis 6.
 */
function isDemoted({ message }: Error): boolean {
  return /\b(READONLY|NOREPLICAS)\b/.test(message)
}

function createTls(
  isRequired: boolean,
  { REDIS_CA_FILE, REDIS_CERT_FILE, REDIS_KEY_FILE }: Omit<RedisConfig, 'REDIS_URL'>,
): object | undefined {
  const files = { ca: REDIS_CA_FILE, cert: REDIS_CERT_FILE, key: REDIS_KEY_FILE }
  const paths = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (paths.length === 0 && !isRequired) return undefined
  const tls = {}
  // The client reads its options at each connection.
  for (const [name, file] of paths)
    Object.defineProperty(tls, name, { enumerable: true, get: () => readFileSync(file) })
  return tls
}
