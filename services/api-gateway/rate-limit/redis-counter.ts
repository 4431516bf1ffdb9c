import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { RedisClient } from '#runtime'
import type { RateLimitWindows } from './rate-limit-windows.ts'

export interface RedisDecision {
  readonly admitted: boolean
  /** Requests that all gateways admitted in the window. */
  readonly consumed: number
  /** Time until the window ends. */
  readonly resetMs: number
}

/** Counts requests in Redis, for all gateways together. Throws the client's error if Redis does not respond. */
export interface RedisCounter {
  /** Counts one request of a site when its limit allows it. */
  readonly admit: (site: number, limit: number) => Promise<RedisDecision>
  /** Adds the requests that this gateway admitted by itself to the counts in Redis. */
  readonly reportLocalCounts: () => Promise<void>
}

/**
 * A window is a hash that expires with it: its name, the requests counted in it (`added`), and requests of the same window
 * that were counted in an earlier hash, before Redis lost it (`base`). After a restart or a failover to an older replica of
 * Redis, a gateway can know a higher count, which Redis adopts. Requests that the gateway admitted by itself are added once.
 *
 * Arguments: cost, limit, the window's length in ms, a name for a new window; then the window that the gateway knows: name,
 * consumed, unreported, and the ms until it ends (0: none known). Returns: whether the cost was counted, consumed, ms until
 * the end, name.
 */
const script = `
local cost, limit, length = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known_name, known, unreported, ends_in = ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local held = redis.call('HMGET', KEYS[1], 'name', 'base', 'added')
local name, base, added = held[1], tonumber(held[2] or 0), tonumber(held[3] or 0)
if not name then
  name = ARGV[4]
  redis.call('HSET', KEYS[1], 'name', name, 'base', 0, 'added', 0)
  redis.call('PEXPIRE', KEYS[1], ends_in > 0 and ends_in or length)
end
if ends_in > 0 then
  if known_name ~= name then base = math.max(base, known) else added = math.max(added, known - base) end
  added = added + unreported
end
local admitted = base + added + cost <= limit
if admitted then added = added + cost end
redis.call('HSET', KEYS[1], 'base', base, 'added', added)
return {admitted and 1 or 0, base + added, redis.call('PTTL', KEYS[1]), name}
`

const Reply = z.tuple([z.int(), z.int(), z.int(), z.string()])

export function createRedisCounter(client: RedisClient, windows: RateLimitWindows, windowMs: number): RedisCounter {
  client.defineCommand('countRequest', { numberOfKeys: 1, lua: script })
  const namePrefix = randomUUID()
  let nameCounter = 0

  let isGathering = false
  /** The counts of one turn of the event loop are one write to the network. */
  const gatherWrites = () => {
    if (isGathering || client.status !== 'ready') return
    isGathering = true
    const streams = ('nodes' in client ? client.nodes('master') : [client]).map(({ stream }) => stream)
    // A server of a cluster that is not used yet has none.
    for (const stream of streams) stream?.cork()
    setImmediate(() => {
      isGathering = false
      for (const stream of streams) stream?.uncork()
    })
  }

  const count = async (site: number, cost: 0 | 1, limit: number) => {
    const requestedAt = performance.now()
    const latest = windows.find(site)
    const window = latest && requestedAt < latest.openUntil ? latest : undefined
    const unreported = window === undefined ? 0 : window.unreported - window.reporting
    if (window) window.reporting += unreported
    const windowArguments = [
      window?.name ?? '',
      window?.consumed ?? 0,
      unreported,
      Math.ceil((window?.openUntil ?? requestedAt) - requestedAt),
    ]
    gatherWrites()
    try {
      const [admitted, consumed, resetMs, name] = Reply.parse(
        // `defineCommand` adds the method, which is missing in the client's type.
        await Reflect.get(client, 'countRequest').call(
          client,
          windowKeyOf(site),
          cost,
          limit,
          windowMs,
          `${namePrefix}:${++nameCounter}`,
          ...windowArguments,
        ),
      )
      if (window) window.unreported -= unreported
      windows.update(site, { name, consumed, resetMs, requestedAt, respondedAt: performance.now() })
      return { admitted: admitted === 1, consumed, resetMs }
    } finally {
      if (window) window.reporting -= unreported
    }
  }
  return {
    admit: (site, limit) => count(site, 1, limit),
    async reportLocalCounts() {
      const now = performance.now()
      const unreported = [...windows.sites()].filter((site) => {
        const window = windows.find(site)
        return window !== undefined && window.unreported > 0 && now < window.openUntil
      })
      await Promise.all(unreported.map((site) => count(site, 0, 0)))
    },
  }
}

/** The key of a site's window. It is one key, so that the script that counts uses one slot of a cluster. */
export function windowKeyOf(site: number): string {
  return `rate:${site}`
}
