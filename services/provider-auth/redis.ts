import { Redis } from 'ioredis'
import { type Logger, type RedisConfig, redisOptions, UnusableServerError, watchRedisFailures } from '#runtime'

/** Timeouts of a command and of a connection; a login does not wait longer for Redis. Our choice. */
const commandTimeoutMs = 2_000
const connectTimeoutMs = 2_000
/** How long the sentinels may take to name a master that can be used, when the service starts. Our choice. */
const firstConnectionMs = 5_000

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
export async function openRedis(config: RedisConfig, logger: Logger): Promise<OpenRedis> {
  const redis = new Redis({
    ...redisOptions(config),
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
  const findFailure = watchRedisFailures(redis)
  redis.on('error', (error: unknown) => logger.debug({ error }, 'Redis'))
  // With sentinels, the client would ask them again and again.
  const timer = setTimeout(() => redis.disconnect(), firstConnectionMs)
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    const { servers, sentinel } = config.REDIS_URL
    throw new UnusableServerError(sentinel === undefined ? 'Redis' : 'Redis Sentinel', servers, findFailure() ?? error)
  } finally {
    clearTimeout(timer)
  }
  redis.on('close', () => logger.warn({ error: findFailure() }, 'connection to Redis lost; reconnecting'))
  redis.on('ready', () => logger.info('reconnected to Redis'))
  return {
    redis,
    usable: () => redis.status === 'ready',
    async [Symbol.asyncDispose]() {
      redis.removeAllListeners('close')
      // A silent server does not answer.
      if (redis.status === 'ready') await redis.quit().catch(() => redis.disconnect())
      else redis.disconnect()
    },
  }
}
