import type { MonitoredRedis } from '../redis.ts'
import type { SiteEntry } from '../site-table.ts'
import type { GatewayPeers } from './gateway-peers.ts'
import { countAdmitted, type RateLimitWindow, type RateLimitWindows } from './rate-limit-windows.ts'
import { type RedisCounter, type RedisDecision, windowKeyOf } from './redis-counter.ts'

/** The decision on one request, with the state of its site's window. */
export interface RateLimitDecision {
  readonly admitted: boolean
  /** `exact`: counted for all gateways together. `degraded`: by this gateway only, within its share of the limit. */
  readonly mode: 'exact' | 'degraded'
  readonly limit: number
  readonly remaining: number
  /** Time until the window ends. */
  readonly resetMs: number
}

/** Decides whether a request of a site is within its rate limit, and counts it. Never fails, even without Redis. */
export type RateLimiter = (site: Pick<SiteEntry, 'site' | 'requests_per_window'>) => Promise<RateLimitDecision>

export interface RateLimiterOptions {
  readonly redis: Pick<MonitoredRedis, 'usable' | 'markUnavailable'>
  readonly peers: Pick<GatewayPeers, 'count' | 'outage' | 'countsExchanged'>
  readonly windows: RateLimitWindows
  readonly redisCounter: RedisCounter
}

/** The decision on a request of a site that is known to have reached its limit; otherwise undefined. */
export function findReachedLimit(
  { site, requests_per_window: limit }: Pick<SiteEntry, 'site' | 'requests_per_window'>,
  { peers, windows }: { readonly peers: Pick<GatewayPeers, 'outage'>; readonly windows: RateLimitWindows },
): RateLimitDecision | undefined {
  if (peers.outage() !== undefined) return undefined
  const window = windows.find(site)
  const now = performance.now()
  if (window === undefined || window.consumed < limit || now >= window.openUntil) return undefined
  return { admitted: false, mode: 'exact', limit, remaining: 0, resetMs: window.overAt - now }
}

/**
 * Limits each site to `requests_per_window` in a fixed window, which starts with its first request (our choice). Once the
 * limit is reached, every gateway rejects requests from memory until the window ends.
 *
 * While any gateway cannot count in Redis, every gateway admits its share of the remaining requests of the window, and its
 * share of the limit in the next windows. Gateways that can count in Redis still do; the others report the requests that
 * they admitted before all gateways count in Redis again. A window admits at most the limit plus one request per gateway.
 */
export function createRateLimiter({ redis, peers, windows, redisCounter }: RateLimiterOptions): RateLimiter {
  /** Undefined if Redis failed. */
  const countInRedis = async (site: number, limit: number) => {
    try {
      return await redisCounter.admit(site, limit)
    } catch {
      redis.markUnavailable(windowKeyOf(site))
      return undefined
    }
  }
  const getAllowance = (window: RateLimitWindow, limit: number, outage: number) => {
    // A request that waited for the counts of an earlier outage takes from the allowance of the newest.
    if (window.allowance === undefined || window.allowance.outage < outage) {
      const admitted = countAdmitted(window)
      const share = Math.max(admitted === 0 ? 1 : 0, Math.floor((limit - admitted) / peers.count()))
      // A gateway that joins a newer outage has counted nothing in Redis since: its share can only have become smaller.
      window.allowance = { outage, left: Math.min(share, window.allowance?.left ?? share) }
    }
    return window.allowance
  }

  /** Takes the request, which Redis may have counted already, from this gateway's share in the outage. */
  const admitFromShare = async (
    site: number,
    limit: number,
    outage: number,
    countedBefore?: RedisDecision,
  ): Promise<RateLimitDecision> => {
    await peers.countsExchanged()
    const window = windows.find(site) ?? windows.open(site)
    const allowance = getAllowance(window, limit, outage)
    const toDecision = (admitted: boolean): RateLimitDecision => ({
      admitted,
      mode: 'degraded',
      limit: Math.max(1, Math.floor(limit / peers.count())),
      remaining: allowance.left,
      resetMs: Math.max(0, window.overAt - performance.now()),
    })
    if (allowance.left === 0) return toDecision(false)
    allowance.left--
    const counted = countedBefore ?? (redis.usable() ? await countInRedis(site, limit) : undefined)
    if (counted?.admitted === false) return toDecision(false)
    const current = peers.outage()
    if (current !== undefined && current !== outage) return admitFromShare(site, limit, current, counted)
    if (counted === undefined) window.unreported++
    return toDecision(true)
  }

  return async (limited) => {
    const { site, requests_per_window: limit } = limited
    const outage = peers.outage()
    if (outage !== undefined) return admitFromShare(site, limit, outage)
    const rejection = findReachedLimit(limited, { peers, windows })
    if (rejection !== undefined) return rejection
    const counted = await countInRedis(site, limit)
    // If an outage began meanwhile, the counts that the gateways exchanged and shared out do not contain this request.
    const outageNow = peers.outage()
    if (counted === undefined || (counted.admitted && outageNow !== undefined))
      return admitFromShare(site, limit, outageNow ?? 0, counted)
    const window = windows.find(site)
    if (window !== undefined) window.allowance = undefined
    return { ...counted, mode: 'exact', limit, remaining: Math.max(0, limit - counted.consumed) }
  }
}
