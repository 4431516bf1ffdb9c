import type { Registry } from 'prom-client'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { limits } from '#contracts'
import { addressGroupOf } from '#http'
import { createCounter, hashSecret, type RedisClient } from '#runtime'
import type { CountStartedLogin } from '../../domain/started-logins.ts'

/**
 * Maximum counters per process while Redis is unavailable; addresses that share a counter share its limit. Our choice.
 */
const maxCounters = 65_536

/**
 * Limits started logins by source address: across replicas in Redis, or per replica while Redis is unavailable.
 *
 * @param limit logins per window; 0: no limit
 */
export function createLoginRateLimiter(
  limit: number,
  { redis, registry }: { readonly redis: RedisClient; readonly registry: Registry },
): CountStartedLogin {
  const limited = createCounter(registry, 'sociallogin_login_starts_limited_total')
  if (limit === 0) return async () => undefined
  const duration = limits.rate_window_seconds
  const keyPrefix = 'provider-auth:started-logins'
  const inRedis = new RateLimiterRedis({ storeClient: redis, keyPrefix, points: limit, duration })
  const inMemory = new RateLimiterMemory({ points: limit, duration })

  const retryAfter = (error: unknown, countedIn: 'redis' | 'memory'): number => {
    if (!(error instanceof RateLimiterRes)) throw error
    limited.inc({ counted_in: countedIn })
    return Math.floor(error.msBeforeNext / 1_000) + 1
  }
  const countInMemory = (key: string) =>
    inMemory.consume(counterKeyOf(key)).then(
      () => undefined,
      (error: unknown) => retryAfter(error, 'memory'),
    )
  return async (address) => {
    if (address === undefined) return undefined
    const key = hashSecret(addressGroupOf(address))
    return inRedis.consume(key).then(
      () => undefined,
      (error: unknown) => (error instanceof RateLimiterRes ? retryAfter(error, 'redis') : countInMemory(key)),
    )
  }
}

function counterKeyOf(key: string): string {
  return String(Number.parseInt(key.slice(0, 8), 16) % maxCounters)
}
