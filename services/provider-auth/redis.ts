import { Redis } from 'ioredis'
import { type Logger, type RedisFiles, redisTls, UnusableServerError } from '#runtime'

/** Timeouts of a command and of a connection; a login does not wait longer for Redis. Our choice. */
const commandTimeoutMs = 2_000
const connectTimeoutMs = 2_000

export interface OpenRedis extends AsyncDisposable {
  readonly redis: Redis
  readonly usable: () => boolean
}

/**
 * Opens Redis and reconnects until disposed. While Redis is unavailable, commands fail immediately: they are neither
 * queued nor sent twice.
 *
 * @throws UnusableServerError if the first connection fails
 */
export async function openRedis(
  url: string,
  { files = {}, logger }: { files?: RedisFiles; logger: Logger },
): Promise<OpenRedis> {
  const redis = new Redis(url, {
    ...redisTls(files),
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    // Closes the connection to a server that is silent during a command.
    socketTimeout: commandTimeoutMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000) + Math.random() * 100,
  })
  let failure: unknown
  redis.on('error', (error: unknown) => {
    failure = error
    logger.debug({ error }, 'Redis')
  })
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    throw new UnusableServerError('Redis', url, failure ?? error)
  }
  redis.on('close', () => logger.warn('connection to Redis lost; reconnecting'))
  redis.on('ready', () => logger.info('reconnected to Redis'))
  return {
    redis,
    usable: () => redis.status === 'ready',
    async [Symbol.asyncDispose]() {
      redis.removeAllListeners('close')
      if (redis.status === 'ready') await redis.quit()
      else redis.disconnect()
    },
  }
}
