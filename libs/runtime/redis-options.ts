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

/** Times in milliseconds. */
export interface RedisDeadlines {
  /** Of a command. */
  readonly commandTimeout: number
  readonly connectTimeout: number
  /** A server that is silent for so long during a command is cut off. */
  readonly socketTimeout: number
  /** How long the client waits before an attempt to connect again. */
  readonly retryStrategy: (attempt: number) => number
}

/** How the client (ioredis) authenticates at each server of Redis. */
export interface RedisServerOptions {
  readonly username?: string
  readonly password?: string
  readonly tls?: object
}

/** Options of the client that depend on the settings, and not on what a service does with Redis. */
export interface RedisClientOptions extends RedisServerOptions {
  readonly host?: string
  readonly port?: number
  readonly sentinels?: ServerAddress[]
  readonly name?: string
  readonly sentinelUsername?: string
  readonly sentinelPassword?: string
  readonly sentinelCommandTimeout?: number
  readonly sentinelTLS?: object
  readonly enableTLSForSentinelMode?: boolean
  readonly db: number
  readonly reconnectOnError: (error: Error) => boolean
}

/** A sentinel that is silent for so long is skipped. Our choice. */
const sentinelSilenceMs = 1_000

/** TLS without the scheme `rediss` is required as well if a file is set. The files are read again for each connection. */
export function createServerOptions({ REDIS_URL: url, ...files }: RedisConfig): RedisServerOptions {
  const { username, password } = url
  const tls = createTls(url.tls, files)
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
  }
}

/** The options for one server, or for the master that sentinels name. */
export function createClientOptions(config: RedisConfig): RedisClientOptions {
  const { servers, sentinel, database } = config.REDIS_URL
  const [server] = servers
  const options = createServerOptions(config)
  const { tls } = options
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
    ...options,
    db: database,
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
