import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { AdminFaultName } from '#admin-api'
import { limits } from '#contracts'
import type { Context } from '#http'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { sourceOf } from './source.ts'

/**
 * Counts failed sign-ins and wrong tokens by the source of the request. Only failures are limited, so a valid credential always works,
 * even from an address with many failures.
 *
 * @throws AdminFault `too_many_requests` instead of the failure after too many of them
 */
export type CountFailure = (ctx: Context) => Promise<void>

/** Faults that do not mean that the credential is wrong. */
const uncountedFaults: readonly AdminFaultName[] = ['unavailable', 'passkey_required']

/** Whether a fault of a sign-in counts as a failure. */
export function isCountedFailure(fault: AdminFaultName): boolean {
  return !uncountedFaults.includes(fault)
}

/** Creates a counter for this replica. Secrets have at least 128 random bits, so the limit only reduces load. */
export function createFailureCounter(deps: Pick<Deps, 'trustedHops'>): CountFailure {
  const counts = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: limits.console_failures_window_seconds,
    keyPrefix: '',
  })
  return async (ctx) => {
    const { consumedPoints, msBeforeNext } = await counts.consume(sourceOf(ctx, deps))
    if (consumedPoints <= limits.console_failures_per_window) return
    ctx.set('Retry-After', String(Math.floor(msBeforeNext / 1_000) + 1))
    throw new AdminFault('too_many_requests')
  }
}
