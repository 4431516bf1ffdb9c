import type { Gateways } from './gateways.ts'
import type { WatchedRedis } from './redis.ts'
import type { SharedCount } from './shared-count.ts'
import type { Site } from './site-table.ts'
import type { Window, Windows } from './windows.ts'

/** Where a site stands in its window after one more request. */
export interface Standing {
  readonly admitted: boolean
  /** `exact`: counted for all gateways together. `degraded`: by this gateway alone, within its share. */
  readonly mode: 'exact' | 'degraded'
  readonly limit: number
  readonly remaining: number
  /** Until the window ends and the whole limit is there again. */
  readonly resetMs: number
}

/** Counts one more request of a site. Always answers: it neither opens nor closes when Redis is unavailable. */
export type Limiter = (site: Pick<Site, 'site' | 'requests_per_window'>) => Promise<Standing>

export interface LimiterOptions {
  readonly redis: Pick<WatchedRedis, 'usable' | 'lost'>
  readonly gateways: Pick<Gateways, 'count' | 'outage' | 'knowledgeShared'>
  readonly windows: Windows
  readonly shared: SharedCount
}

/**
 * One window for each site, opened by its first request (our choice), in which the site has the number of requests that is
 * its setting. Once they are used up, every gateway refuses from memory until the window ends.
 *
 * While a gateway cannot count in Redis, every gateway admits its share of what was left in the window, and of the whole limit
 * in the next ones. Those that can still count in Redis do so too, and the others report what they admitted before all of
 * them count in Redis again: a window admits no more than the limit and one request per gateway.
 */
export function createLimiter({ redis, gateways, windows, shared }: LimiterOptions): Limiter {
  /** Undefined if Redis failed. */
  const countInRedis = async (site: number, limit: number) => {
    try {
      return await shared.admit(site, limit)
    } catch {
      redis.lost()
      return undefined
    }
  }
  const allowanceOf = (window: Window, limit: number, outage: number) => {
    if (window.allowance?.outage !== outage) {
      const share = Math.floor((limit - window.consumed - window.unreported) / gateways.count())
      window.allowance = { outage, left: Math.max(window.consumed === 0 ? 1 : 0, share) }
    }
    return window.allowance
  }

  const admitAlone = async (site: number, limit: number, outage: number): Promise<Standing> => {
    await gateways.knowledgeShared()
    const window = windows.find(site) ?? windows.open(site)
    const allowance = allowanceOf(window, limit, outage)
    const standing = (admitted: boolean): Standing => ({
      admitted,
      mode: 'degraded',
      limit: Math.max(1, Math.floor(limit / gateways.count())),
      remaining: allowance.left,
      resetMs: Math.max(0, window.over_at - performance.now()),
    })
    if (allowance.left === 0) return standing(false)
    allowance.left--
    const counted = redis.usable() ? await countInRedis(site, limit) : undefined
    if (counted === undefined) window.unreported++
    return standing(counted?.admitted ?? true)
  }

  return async ({ site, requests_per_window: limit }) => {
    const outage = gateways.outage()
    if (outage !== undefined) return admitAlone(site, limit, outage)
    const known = windows.find(site)
    const now = performance.now()
    if (known && known.consumed >= limit && now < known.open_until)
      return { admitted: false, mode: 'exact', limit, remaining: 0, resetMs: known.over_at - now }
    const counted = await countInRedis(site, limit)
    if (counted === undefined) return admitAlone(site, limit, gateways.outage() ?? 0)
    return { ...counted, mode: 'exact', limit, remaining: Math.max(0, limit - counted.consumed) }
  }
}
