import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { limits } from '#contracts'
import { hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import { OAuthError } from '../http/oauth-error.ts'

/** Who fails to prove to be a client: by the client's id and the address that tries, so that nobody locks another out. */
export interface Attempt {
  readonly client_id: string
  readonly address: string | undefined
}

export interface Failures {
  /** @throws OAuthError 429 when this address failed to prove to be the client too often */
  readonly refuse: (attempt: Attempt) => Promise<void>
  readonly count: (attempt: Attempt) => Promise<void>
}

/** Counts failures for all replicas together in Redis; each by itself while Redis is away. */
export function countFailures({ redis }: Pick<Deps, 'redis'>): Failures {
  const points = limits.client_failures_per_window
  const duration = limits.rate_window_seconds
  const alone = new RateLimiterMemory({ points, duration, keyPrefix: '' })
  const together = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'provider-auth:client-failures',
    points,
    duration,
    insuranceLimiter: alone,
  })
  return {
    async refuse(attempt) {
      const counted = await together.get(keyOf(attempt))
      if (counted === null || counted.consumedPoints < points) return
      const description = 'Client authentication failed too often.'
      const retry_after_seconds = Math.floor(counted.msBeforeNext / 1_000) + 1
      throw new OAuthError(429, 'temporarily_unavailable', description, undefined, retry_after_seconds)
    },
    async count(attempt) {
      await together.penalty(keyOf(attempt), 1)
    },
  }
}

/** Of one length, whatever is sent. */
function keyOf({ client_id, address = 'unknown' }: Attempt): string {
  return hashSecret(`${address} ${client_id}`)
}
