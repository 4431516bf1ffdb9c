import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { WatchedRedis } from './redis.ts'
import type { Site } from './site-table.ts'

/** Where a site stands in its window after one more request. */
export interface Standing {
  readonly admitted: boolean
  /** `exact`: counted for all gateways together. `degraded`: by this gateway alone, within its share. */
  readonly mode: 'exact' | 'degraded'
  readonly limit: number
  readonly remaining: number
  /** Until the window ends and the whole limit is there again. */
  readonly reset_ms: number
}

/** Counts one more request of a site. Always answers: it neither opens nor closes when Redis is away. */
export type Limiter = (site: Site) => Promise<Standing>

export interface LimiterOptions {
  readonly redis: WatchedRedis
  readonly window_seconds: number
  /** How many gateways share a site's limit while Redis is away. */
  readonly gateways: () => number
}

/**
 * One window for each site, opened by its first request (our choice), in which the site has the number of requests that is
 * its setting. Once they are used up, every gateway refuses from memory until the window ends.
 */
export function createLimiter({ redis, window_seconds, gateways }: LimiterOptions): Limiter {
  const together = new Map<number, RateLimiterRedis>()
  const together_for = (points: number) => {
    const existing = together.get(points)
    if (existing) return existing
    const limiter = new RateLimiterRedis({
      storeClient: redis.client,
      keyPrefix: 'rate',
      points,
      duration: window_seconds,
      inMemoryBlockOnConsumed: points,
    })
    together.set(points, limiter)
    return limiter
  }
  // Only counts: the share it is compared with changes with the number of gateways.
  const alone = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: window_seconds, keyPrefix: '' })

  return async ({ site, requests_per_window: limit }) => {
    const counted = redis.usable() ? await countTogether(together_for(limit), site, redis) : undefined
    if (counted) return { ...counted, mode: 'exact', limit }
    const share = Math.max(1, Math.floor(limit / gateways()))
    const { consumedPoints, msBeforeNext } = await alone.consume(site)
    const remaining = Math.max(0, share - consumedPoints)
    return { admitted: consumedPoints <= share, remaining, reset_ms: msBeforeNext, mode: 'degraded', limit: share }
  }
}

/** Undefined when Redis did not answer as it should. */
async function countTogether(
  limiter: RateLimiterRedis,
  site: number,
  redis: WatchedRedis,
): Promise<Pick<Standing, 'admitted' | 'remaining' | 'reset_ms'> | undefined> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(site)
    return { admitted: true, remaining: remainingPoints, reset_ms: msBeforeNext }
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { admitted: false, remaining: 0, reset_ms: refusal.msBeforeNext }
    redis.lost()
    return undefined
  }
}
