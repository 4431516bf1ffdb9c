import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type Logger, type RedisFiles, redisTls } from '#runtime'

/** Redis, and whether it can be relied on at this moment. */
export interface MonitoredRedis extends AsyncDisposable {
  readonly client: Redis
  readonly usable: () => boolean
  /** A command failed: Redis is not asked again until it answers a probe. */
  readonly markUnavailable: () => void
  /** Sets the listener that is called whenever `usable` changes. */
  readonly onChange: (changed: () => void) => void
  /**
   * Sets what reports the requests that this gateway admitted by itself. It runs twice when Redis responds again: before and
   * after this gateway counts in Redis. It has to succeed before `follow`'s listener is called.
   */
  readonly onRecovery: (report: () => Promise<void>) => void
}

const probeIntervalMs = 200
const firstConnectionMs = 1_000

/**
 * Connects, or starts without: whoever uses it must be able to go on alone.
 *
 * @param timeoutMs how long a request waits for Redis at most, the first time it does not answer
 */
export async function connectRedis(
  url: string,
  { files = {}, logger, timeoutMs }: { files?: RedisFiles; logger: Logger; timeoutMs: number },
): Promise<MonitoredRedis> {
  const client = new Redis(url, {
    ...redisTls(files),
    enableOfflineQueue: false,
    // A count that was given up must not be made later.
    autoResendUnfulfilledCommands: false,
    commandTimeout: timeoutMs,
    connectTimeout: 2_000,
    retryStrategy: () => probeIntervalMs,
  })
  let usable = true
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let changed = () => {}
  let report = async () => {}

  const markUnavailable = () => {
    if (!usable || closed) return
    usable = false
    logger.warn('Redis is unavailable: each gateway limits requests by its own share')
    timer = setTimeout(probe, probeIntervalMs)
    changed()
  }
  const probe = async () => {
    try {
      // A write, since a Redis that only reads cannot count.
      await client.set('rate:probe', '', 'PX', 1_000)
      await report()
    } catch {
      if (!closed) timer = setTimeout(probe, probeIntervalMs)
      return
    }
    if (closed) return
    usable = true
    // The requests that this gateway admitted by itself during the first report. From here on, it counts in Redis.
    await report().catch(markUnavailable)
    if (!usable) return
    logger.info('Redis is available again: requests are limited exactly')
    changed()
  }

  // Its errors are told by what they lead to.
  client.on('error', () => {})
  client.on('close', markUnavailable)
  const connected = once(client, 'ready').catch(() => {})
  await Promise.race([connected, delay(firstConnectionMs, undefined, { ref: false })])
  if (client.status !== 'ready') markUnavailable()

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
      client.disconnect()
    },
  }
}
