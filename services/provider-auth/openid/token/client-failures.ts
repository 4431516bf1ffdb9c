import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { limits } from '#contracts'
import { addressGroupOf } from '#http'
import { hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'
import { OAuthError } from '../../http/oauth-error.ts'

/**
 * A failed client authentication. Failures are counted by client ID and address, so that others cannot lock out a
 * client.
 */
export interface Attempt {
  readonly client_id: string
  readonly address: string | undefined
}

/**
 * Counts a failure.
 *
 * @throws OAuthError 429 if client authentication failed too often from this address
 */
export type CountClientFailure = (attempt: Attempt) => Promise<void>

/** Counts failures across replicas in Redis, or per replica while Redis is unavailable. */
export function createClientFailureLimiter({ redis }: Pick<Deps, 'redis'>): CountClientFailure {
  const points = limits.client_failures_per_window
  const duration = limits.rate_window_seconds
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'provider-auth:client-failures',
    points,
    duration,
    insuranceLimiter: new RateLimiterMemory({ points, duration, keyPrefix: '' }),
  })
  return async (attempt) => {
    const counted = await limiter.penalty(keyOf(attempt), 1)
    if (counted.consumedPoints <= points) return
    const retryAfterSeconds = Math.floor(counted.msBeforeNext / 1_000) + 1
    const error = new OAuthError('too_many_client_failures', { retryAfterSeconds })
    throw error.withReason('too_many_failures')
  }
}

/** Maximum counters per address. Client IDs share them, so that made-up IDs cannot fill Redis. Our choice. */
const countersPerAddress = 4_096

function keyOf({ client_id, address }: Attempt): string {
  const counter = Number.parseInt(hashSecret(client_id).slice(0, 8), 16) % countersPerAddress
  return hashSecret(`${addressGroupOf(address)} ${counter}`)
}
