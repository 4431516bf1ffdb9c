import type { WindowCount } from '#contracts'

/** A site's window as this gateway knows it; times are of the monotonic clock (ms). */
export interface RateLimitWindow {
  /** Redis' name of the window; empty while Redis does not know it. */
  name: string
  /** Requests that all gateways admitted in it, as Redis last returned. */
  consumed: number
  /** Requests that this gateway admitted in it and has not reported to Redis. */
  unreported: number
  /** It is certainly open before `openUntil` and certainly over after `overAt`: the response of Redis is from in between. */
  openUntil: number
  overAt: number
  /** How many requests this gateway may still admit by itself; computed once per outage of Redis. */
  allowance: { readonly outage: number; left: number } | undefined
}

/** The sites' windows by site. */
export interface RateLimitWindows {
  /** The site's window; undefined when it has none or it is over. */
  readonly find: (site: number) => RateLimitWindow | undefined
  /** Opens a window that Redis does not know of. */
  readonly open: (site: number) => RateLimitWindow
  /** Stores what Redis returned of the site's window. */
  readonly update: (site: number, counted: RedisCount) => void
  /** Stores what another gateway knows, if it is more. */
  readonly applyPeerCounts: (counts: readonly WindowCount[]) => void
  /** Open windows as Redis last returned them. */
  readonly list: () => WindowCount[]
  readonly sites: () => Iterable<number>
}

export interface RedisCount {
  readonly name: string
  readonly consumed: number
  /** Time until the window ends, measured between `requestedAt` and `respondedAt`. */
  readonly resetMs: number
  readonly requestedAt: number
  readonly respondedAt: number
}

export function createRateLimitWindows(
  windowMs: number,
  now: () => number = () => performance.now(),
): RateLimitWindows {
  const windows = new Map<number, RateLimitWindow>()

  const find = (site: number) => {
    const window = windows.get(site)
    if (window === undefined || now() < window.overAt) return window
    windows.delete(site)
    return undefined
  }
  const add = (site: number, window: Pick<RateLimitWindow, 'name' | 'consumed' | 'openUntil' | 'overAt'>) => {
    const added: RateLimitWindow = { ...window, unreported: 0, allowance: undefined }
    windows.set(site, added)
    return added
  }
  return {
    find,
    open: (site) => add(site, { name: '', consumed: 0, openUntil: now() + windowMs, overAt: now() + windowMs }),
    update(site, { name, consumed, resetMs, requestedAt, respondedAt }) {
      const times = { openUntil: requestedAt + resetMs, overAt: respondedAt + resetMs }
      const known = find(site)
      const isNext = known !== undefined && known.name !== name && requestedAt >= known.openUntil
      if (known === undefined || isNext) return void add(site, { name, consumed, ...times })
      const isSame = known.name === name
      Object.assign(known, times, { name, consumed: isSame ? Math.max(known.consumed, consumed) : consumed })
    },
    applyPeerCounts(counts) {
      for (const { site, window: name, consumed, ends_in_ms } of counts) {
        const endsAt = now() + ends_in_ms
        const known = find(site)
        if (known === undefined) add(site, { name, consumed, openUntil: endsAt, overAt: endsAt })
        // Gateways see the same window end within milliseconds of each other: one that ends much earlier is the previous one.
        else if (consumed > known.consumed && endsAt > known.openUntil - windowMs / 2)
          Object.assign(known, { name, consumed })
      }
    },
    list() {
      const at = now()
      return [...windows].flatMap(([site, { name, consumed, openUntil }]) =>
        name === '' || openUntil <= at ? [] : [{ site, window: name, consumed, ends_in_ms: openUntil - at }],
      )
    },
    sites: () => [...windows.keys()],
  }
}
