import type { WindowCount } from '#contracts'

/** A site's rate limit window as this gateway knows it. Times are on the monotonic clock (ms). */
export interface RateLimitWindow {
  /** The window's name in Redis; empty while Redis does not have it. */
  name: string
  /** Requests that all gateways admitted in the window, as Redis last returned. */
  consumed: number
  /** Requests that this gateway admitted and has not reported to Redis. */
  unreported: number
  /** The window is certainly open before `openUntil` and certainly over after `overAt`: Redis responded in between. */
  openUntil: number
  overAt: number
  /** Requests that this gateway can still admit by itself; computed once per outage of Redis. */
  allowance: { readonly outage: number; left: number } | undefined
}

/** The rate limit windows by site. */
export interface RateLimitWindows {
  /** The site's window; undefined if it has none or it is over. */
  readonly find: (site: number) => RateLimitWindow | undefined
  /** Opens a window that Redis does not have. */
  readonly open: (site: number) => RateLimitWindow
  /** Stores the count of the site's window that Redis returned. */
  readonly update: (site: number, counted: RedisCount) => void
  /** Stores the counts of another gateway where they are higher. */
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
        // Gateways agree on the end of a window within milliseconds: one that ends much earlier is the previous window.
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
