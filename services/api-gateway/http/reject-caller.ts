import type { Registry } from 'prom-client'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Fault, limits } from '#contracts'
import { addressGroupOf, type Context } from '#http'
import { createCounter } from '#runtime'
import { formatReset, secondsUntilOver } from './rate-limit.ts'

/** Why a caller is not let in. */
export type Rejection = 'invalid_api_key' | 'address_not_allowed' | 'option_contract_needed' | 'body_not_a_form'

/** Refuses the caller: with the refusal's own fault, or 429 when its address was refused too often. Always throws. */
export type RejectCaller = (ctx: Context, rejection: Rejection, address: string | undefined) => Promise<never>

/**
 * Refused requests count against the address they come from, in this gateway alone, and against no site: whoever has a
 * live key is served, whatever else comes from the same address.
 */
export function createRejectCaller(registry: Registry, windowSeconds: number): RejectCaller {
  const counts = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
    keyPrefix: '',
  })
  const rejected = createCounter(registry, 'sociallogin_apikey_checks_total')

  return async (ctx, refusal, address) => {
    const { consumedPoints, msBeforeNext } = await counts.consume(addressGroupOf(address))
    if (consumedPoints <= limits.rejected_requests_per_window) {
      rejected.inc({ result: refusal })
      throw new Fault(refusal)
    }
    rejected.inc({ result: 'too_many_requests' })
    ctx.set('Retry-After', String(secondsUntilOver(msBeforeNext)))
    ctx.set('X-RateLimit-Reset', formatReset(msBeforeNext, Date.now()))
    throw new Fault('too_many_requests')
  }
}
