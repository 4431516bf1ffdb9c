import type { Registry } from 'prom-client'
import { Fault } from '#contracts'
import type { Context } from '#http'
import { createCounter, createHistogram, toTimestamp } from '#runtime'
import type { RateLimitDecision, RateLimiter } from '../rate-limit/rate-limiter.ts'
import type { SiteEntry } from '../site-table.ts'

/** Counts the request against its site's rate limit and sets the rate limit headers; 429 if the limit is reached. */
export type RateLimitCheck = (ctx: Context, site: SiteEntry) => Promise<void>

export function createRateLimitCheck(limiter: RateLimiter, registry: Registry, windowSeconds: number): RateLimitCheck {
  const decisions = createCounter(registry, 'sociallogin_ratelimit_decisions_total')
  const store = createHistogram(registry, 'sociallogin_ratelimit_store_duration_seconds')

  return async (ctx, site) => {
    const decided = store.startTimer()
    const decision = await limiter(site)
    ctx.state.remaining = decision.remaining
    decided()
    decisions.inc({ decision: decisionLabel(decision), mode: decision.mode })
    ctx.set(rateLimitHeaders(decision, windowSeconds, Date.now()))
    if (!decision.admitted) throw new Fault('too_many_requests')
  }
}

/** Counted separately, so that operators notice a site near its limit. */
const nearLimit = 0.2

export function decisionLabel({ admitted, remaining, limit }: RateLimitDecision): string {
  if (!admitted) return 'limited'
  return remaining <= nearLimit * limit ? 'near_limit' : 'allowed'
}

/**
 * Returns `X-RateLimit-*` (specification, Limits), with the reset rounded up so that it is never too early, and `RateLimit`
 * and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), with `Retry-After` if the request is rejected.
 */
export function rateLimitHeaders(
  standing: RateLimitDecision,
  windowSeconds: number,
  nowMs: number,
): Record<string, string> {
  const { admitted, limit, remaining, resetMs, mode } = standing
  const resetSeconds = secondsUntilOver(resetMs)
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': formatReset(resetMs, nowMs),
    'RateLimit-Policy': `"site";q=${limit};w=${windowSeconds}`,
    RateLimit: `"site";r=${remaining};t=${resetSeconds}`,
    ...(mode === 'degraded' ? { 'X-RateLimit-Mode': mode } : {}),
    ...(admitted ? {} : { 'Retry-After': String(resetSeconds) }),
  }
}

/** `X-RateLimit-Reset` of a window that ends in `resetMs`, rounded up. */
export function formatReset(resetMs: number, nowMs: number): string {
  return toTimestamp(secondsUntilOver(nowMs + resetMs) * 1_000)
}

/** Whole seconds after which a window is certainly over. A window still counts in its last millisecond. */
export function secondsUntilOver(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000) + 1
}
