import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type Logger, type RedisFiles, redisTls } from '#runtime'

/** Redis, and whether it can be relied on at this moment. */
export interface WatchedRedis extends AsyncDisposable {
  readonly client: Redis
  readonly usable: () => boolean
  /** A command failed: Redis is not asked again until it answers a probe. */
  readonly lost: () => void
  /** Sets the listener that is called whenever `usable` changes. */
  readonly follow: (changed: () => void) => void
  /** Sets what has to succeed before Redis is usable again. */
  readonly beforeReturn: (prepare: () => Promise<void>) => void
}

const probe_every_ms = 200
const first_connection_ms = 1_000

/**
 * Connects, or starts without: whoever uses it must be able to go on alone.
 *
 * @param timeout_ms how long a request waits for Redis at most, the first time it does not answer
 */
export async function watchRedis(
  url: string,
  { files = {}, logger, timeout_ms }: { files?: RedisFiles; logger: Logger; timeout_ms: number },
): Promise<WatchedRedis> {
  const client = new Redis(url, {
    ...redisTls(files),
    enableOfflineQueue: false,
    // A count that was given up must not be made later.
    autoResendUnfulfilledCommands: false,
    commandTimeout: timeout_ms,
    connectTimeout: 2_000,
    retryStrategy: () => probe_every_ms,
  })
  let usable = true
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let changed = () => {}
  let prepare = async () => {}

  const lost = () => {
    if (!usable || closed) return
    usable = false
    logger.warn('Redis is unavailable: each gateway limits requests by its own share')
    timer = setTimeout(probe, probe_every_ms)
    changed()
  }
  const probe = async () => {
    try {
      // A write, since a Redis that only reads cannot count.
      await client.set('rate:probe', '', 'PX', 1_000)
      await prepare()
      if (closed) return
      usable = true
      logger.info('Redis is available again: requests are limited exactly')
      changed()
    } catch {
      if (!closed) timer = setTimeout(probe, probe_every_ms)
    }
  }

  // Its errors are told by what they lead to.
  client.on('error', () => {})
  client.on('close', lost)
  const connected = once(client, 'ready').catch(() => {})
  await Promise.race([connected, delay(first_connection_ms, undefined, { ref: false })])
  if (client.status !== 'ready') lost()

  return {
    client,
    usable: () => usable,
    lost,
    follow: (listener) => {
      changed = listener
    },
    beforeReturn: (preparation) => {
      prepare = preparation
    },
    async [Symbol.asyncDispose]() {
      closed = true
      clearTimeout(timer)
      client.disconnect()
    },
  }
}
