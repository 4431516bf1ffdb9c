import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { AdminFaultName } from '#admin-api'
import { limits } from '#contracts'
import type { Context } from '#http'
import type { Deps } from '../deps.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { sourceOf } from './source.ts'

/**
 * Counts a failed sign-in or a wrong token by the source of the request. Only failures are counted and refused, so the right
 * credential always works, whatever else comes from its address.
 *
 * @throws AdminFault `too_many_requests` instead of the failure after too many of them
 */
export type CountFailure = (ctx: Context) => Promise<void>

/** Faults of sign-ins that say nothing about the credential. */
const notCounted: readonly AdminFaultName[] = ['unavailable', 'passkey_needed']

/** Whether a refused sign-in counts as a failure. */
export function isFailure(fault: AdminFaultName): boolean {
  return !notCounted.includes(fault)
}

/** Each replica counts for itself: secrets have at least 128 random bits, so this only limits noise. */
export function countFailures(deps: Pick<Deps, 'trusted_hops'>): CountFailure {
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
