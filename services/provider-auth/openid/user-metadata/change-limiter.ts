import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { limits } from '#contracts'
import { hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import type { AccessTokenGrant } from '../../store/access-tokens.ts'

/**
 * Counts a change of the metadata of a user by an application.
 *
 * @throws OAuthError 429 if the metadata of the user was changed too often
 */
export type CountMetadataChange = (user: Pick<AccessTokenGrant, 'site' | 'identifier'>) => Promise<void>

/**
 * Limits changes by user, because a user can have many tokens: in Redis, or per replica while Redis is unavailable. Only valid
 * tokens are counted, so others cannot use up the limit or fill the memory.
 */
export function createChangeLimiter({ redis }: Pick<Deps, 'redis'>): CountMetadataChange {
  const points = limits.metadata_changes_per_window
  const duration = limits.rate_window_seconds
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'provider-auth:metadata-changes',
    points,
    duration,
    insuranceLimiter: new RateLimiterMemory({ points, duration, keyPrefix: '' }),
  })
  return async ({ site, identifier }) => {
    try {
      await limiter.consume(hashSecret(`${site} ${identifier}`))
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      throw new OAuthError('too_many_changes', { retryAfterSeconds: Math.floor(error.msBeforeNext / 1_000) + 1 })
    }
  }
}
