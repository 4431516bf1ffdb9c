import { Redis } from 'ioredis'
import { type Logger, type RedisFiles, redisTls } from '#runtime'

/** How long a command or a connection may take; a login does not wait longer for Redis. Our choice. */
const commandTimeoutMs = 2_000
const connectTimeoutMs = 2_000

export interface OpenRedis extends AsyncDisposable {
  readonly redis: Redis
  readonly usable: () => boolean
}

/**
 * Opens Redis and reconnects for ever. While it is away commands fail at once: none waits, none is sent twice.
 *
 * @throws when it cannot be reached at first
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
    throw failure ?? error
  }
  redis.on('close', () => logger.warn('connection to Redis lost'))
  redis.on('ready', () => logger.info('connected to Redis again'))
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
