import { createRedisConnection, type Logger, type RedisClient, type RedisConfig } from '#runtime'

/** Time limits in milliseconds. An object, because tests on a slow machine change them. Our choice. */
export const redisTimeouts: Record<'command' | 'connection' | 'start', number> = {
  /** A login does not wait longer for Redis. */
  command: 2_000,
  connection: 2_000,
  /** At the start it may take longer to find the masters, which sentinels or a cluster name. */
  start: 5_000,
}

export interface OpenRedis extends AsyncDisposable {
  readonly redis: RedisClient
  readonly usable: () => boolean
}

/**
 * Opens Redis and reconnects until disposed. While Redis is unavailable, commands fail immediately: they are neither
 * queued nor sent twice.
 *
 * @throws UnusableServerError if the first connection fails
 */
export async function openRedis(config: RedisConfig, logger: Logger): Promise<OpenRedis> {
  const connection = await createRedisConnection(config, {
    connectTimeout: redisTimeouts.connection,
    commandTimeout: redisTimeouts.command,
    // Closes the connection to a server that is silent during a command.
    socketTimeout: redisTimeouts.command,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000) + Math.random() * 100,
  })
  const { client, findFailure } = connection
  client.on('error', (error: unknown) => logger.debug({ error }, 'Redis'))
  // The client would ask sentinels or servers of a cluster again and again.
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    connection.disconnect()
    reject(new Error('Redis did not become usable in time.'))
  }, redisTimeouts.start)
  try {
    await Promise.race([connection.connect(), timeout])
  } catch (error) {
    connection.disconnect()
    throw await connection.toUnusableError(error)
  } finally {
    clearTimeout(timer)
  }
  let isClosed = false
  connection.onLoss(() => {
    if (!isClosed) logger.warn({ error: findFailure() }, 'connection to Redis lost; reconnecting')
  })
  connection.onRecovery(() => logger.info('reconnected to Redis'))
  return {
    redis: client,
    usable: connection.isUsable,
    async [Symbol.asyncDispose]() {
      isClosed = true
      // A silent server does not answer.
      if (client.status === 'ready') await client.quit().catch(() => {})
      connection.disconnect()
    },
  }
}
