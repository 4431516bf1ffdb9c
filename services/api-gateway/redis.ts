import { setTimeout as delay } from 'node:timers/promises'
import { createRedisConnection, type Logger, type RedisClient, type RedisConfig } from '#runtime'

/** A Redis client that reports whether Redis is available. */
export interface MonitoredRedis extends AsyncDisposable {
  readonly client: RedisClient
  readonly usable: () => boolean
  /**
   * Reports a failed command: Redis is not used again until a probe succeeds.
   *
   * @param key of the command; in a cluster, another key can be at a server that works
   */
  readonly markUnavailable: (key?: string) => void
  /** Sets the listener for changes of `usable`. */
  readonly onChange: (changed: () => void) => void
  /**
   * Sets the function that reports the requests that this gateway admitted by itself. It runs twice when Redis is available
   * again: before and after this gateway counts in Redis. It must succeed before the listener of `onChange` is called.
   */
  readonly onRecovery: (report: () => Promise<void>) => void
}

const probeIntervalMs = 200
const firstConnectionMs = 1_000
/** A server that is silent for so long during a command is cut off; the connection is opened again. Our choice. */
const silenceMs = 3_000

/**
 * Connects to Redis. Resolves even if Redis is unavailable, so callers must be able to work without it.
 *
 * @param timeoutMs how long a request waits for Redis at most when it becomes unavailable
 */
export async function connectRedis(
  config: RedisConfig,
  { logger, timeoutMs }: { logger: Logger; timeoutMs: number },
): Promise<MonitoredRedis> {
  const connection = await createRedisConnection(config, {
    commandTimeout: timeoutMs,
    connectTimeout: 2_000,
    socketTimeout: silenceMs,
    retryStrategy: () => probeIntervalMs,
  })
  const { client, findFailure, isUsable } = connection
  let usable = true
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let changed = () => {}
  let report = async () => {}
  let probeKey = usualProbeKey

  const markUnavailable = (key?: string) => {
    if (!usable || closed) return
    usable = false
    probeKey = key === undefined ? usualProbeKey : toProbeKey(key)
    logger.warn({ error: findFailure() }, 'Redis is unavailable; each gateway applies its share of the rate limits')
    timer = setTimeout(probe, probeIntervalMs)
    changed()
  }
  const probe = async () => {
    try {
      if (!isUsable()) throw new Error('Redis is not connected.')
      // A write, because a read-only Redis cannot count.
      await client.set(probeKey, '', 'PX', 1_000)
      await report()
    } catch {
      if (!closed) timer = setTimeout(probe, probeIntervalMs)
      return
    }
    if (closed) return
    usable = true
    // Reports the requests admitted during the first report. From now on, this gateway counts in Redis.
    await report().catch(() => markUnavailable())
    if (!usable) return
    logger.info('Redis is available again; rate limits are exact')
    changed()
  }

  connection.onLoss(() => markUnavailable())
  const connected = connection.connect().catch(() => {})
  await Promise.race([connected, delay(firstConnectionMs, undefined, { ref: false })])
  if (!isUsable()) markUnavailable()

  return {
    client,
    usable: () => usable,
    markUnavailable,
    onChange: (listener) => {
      changed = listener
    },
    onRecovery: (reporting) => {
      report = reporting
    },
    async [Symbol.asyncDispose]() {
      closed = true
      clearTimeout(timer)
      connection.disconnect()
    },
  }
}

const usualProbeKey = 'rate:probe'

/** A key in the slot of this key, which a cluster has at the same server. */
function toProbeKey(key: string): string {
  return `${usualProbeKey}:{${key}}`
}
