import { Counter, type Registry } from 'prom-client'
import { Fault } from '#contracts'
import type { Context } from '#http'
import { toTimestamp } from '#runtime'
import type { Limiter, Standing } from '../limiter.ts'
import type { Site } from '../site-table.ts'

/** Counts the request against its site and tells on the answer where the site stands; 429 when nothing is left. */
export type RateLimit = (ctx: Context, site: Site) => Promise<void>

export function createRateLimit(limiter: Limiter, registry: Registry, window_seconds: number): RateLimit {
  const decisions = new Counter({
    name: 'rate_limit_decisions_total',
    help: 'Requests of known sites by what the rate limit decided, and whether gateways counted together (exact) or alone.',
    labelNames: ['decision', 'mode'],
    registers: [registry],
  })

  return async (ctx, site) => {
    const standing = await limiter(site)
    const { admitted, mode } = standing
    ctx.state.remaining = standing.remaining
    decisions.inc({ decision: admitted ? 'admitted' : 'refused', mode })
    ctx.set(headersOf(standing, window_seconds, Date.now()))
    if (admitted) return
    ctx.set('Retry-After', String(wholeSecondsAfter(standing.reset_ms)))
    throw new Fault('too_many_requests')
  }
}

/**
 * `X-RateLimit-*` (specification, Limits), the reset rounded up so that it is never told too early; `RateLimit` and
 * `RateLimit-Policy` as in draft-ietf-httpapi-ratelimit-headers.
 */
export function headersOf(standing: Standing, window_seconds: number, now_ms: number): Record<string, string> {
  const { limit, remaining, reset_ms, mode } = standing
  const reset_seconds = wholeSecondsAfter(reset_ms)
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': toTimestamp(wholeSecondsAfter(now_ms + reset_ms) * 1_000),
    'RateLimit-Policy': `"site";q=${limit};w=${window_seconds}`,
    RateLimit: `"site";r=${remaining};t=${reset_seconds}`,
    ...(mode === 'degraded' ? { 'X-RateLimit-Mode': mode } : {}),
  }
}

/** Whole seconds after which a window of so many milliseconds is over for certain: it still counts in its last one. */
export function wholeSecondsAfter(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000) + 1
}
