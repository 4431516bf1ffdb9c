import { createRedisConnection, type Logger, type RedisClient, type RedisConfig } from '#runtime'

/** Timeouts of a command and of a connection; a login does not wait longer for Redis. Our choice. */
const commandTimeoutMs = 2_000
const connectTimeoutMs = 2_000
/** How long it may take at the start to find the masters, which sentinels or a cluster name. Our choice. */
const firstConnectionMs = 5_000

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
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    // Closes the connection to a server that is silent during a command.
    socketTimeout: commandTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000) + Math.random() * 100,
  })
  const { client, findFailure } = connection
  client.on('error', (error: unknown) => logger.debug({ error }, 'Redis'))
  // The client would ask sentinels or servers of a cluster again and again.
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    connection.disconnect()
    reject(new Error('Redis did not become usable in time.'))
  }, firstConnectionMs)
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
