import type { Registry } from 'prom-client'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Fault, limits } from '#contracts'
import { addressGroupOf } from '#http'
import { createCounter } from '#runtime'
import { formatReset, secondsUntilOver } from './rate-limit.ts'

/** Why a caller is rejected. */
export type Rejection = 'invalid_api_key' | 'address_not_allowed' | 'option_contract_needed' | 'body_not_a_form'

/** Returns the rejection's fault, or 429 if the address was rejected too often. */
export type RejectCaller = (
  headers: ResponseHeaders,
  rejection: Rejection,
  address: string | undefined,
) => Promise<Fault>

/** Takes the headers of a response. */
export interface ResponseHeaders {
  readonly set: (name: string, value: string) => void
}

/**
 * Counts rejected requests by source address, in this gateway only, and not against any site: callers with an active key
 * are served regardless of other requests from their address.
 */
export function createRejectCaller(registry: Registry, windowSeconds: number): RejectCaller {
  const counts = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
    keyPrefix: '',
  })
  const rejected = createCounter(registry, 'sociallogin_apikey_checks_total')

  return async (headers, rejection, address) => {
    const { consumedPoints, msBeforeNext } = await counts.consume(addressGroupOf(address))
    if (consumedPoints <= limits.rejected_requests_per_window) {
      rejected.inc({ result: rejection })
      return new Fault(rejection)
    }
    rejected.inc({ result: 'too_many_requests' })
    headers.set('Retry-After', String(secondsUntilOver(msBeforeNext)))
    headers.set('X-RateLimit-Reset', formatReset(msBeforeNext, Date.now()))
    return new Fault('too_many_requests')
  }
}
