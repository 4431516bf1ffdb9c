import type { WindowCount } from '#contracts'

/** A site's rate limit window as this gateway knows it. Times are on the monotonic clock (ms). */
export interface RateLimitWindow {
  /** The window's name in Redis; empty while Redis does not have it. */
  name: string
  /** Requests that all gateways admitted in the window, as Redis last returned. */
  consumed: number
  /** Requests that this gateway admitted and that Redis has not confirmed. */
  unreported: number
  /** Those of the unreported requests that are being reported now. */
  reporting: number
  /** Unreported requests of the other gateways, by gateway, as they last published them. */
  readonly peersUnreported: Map<string, number>
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
  /** Stores the counts of another gateway: what Redis returned to it where that is more, and its unreported requests. */
  readonly applyPeerCounts: (gateway: string, counts: readonly WindowCount[]) => void
  /** Open windows as Redis last returned them, with the unreported requests of this gateway. */
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

/** Requests of the window that all gateways together admitted, as far as this gateway knows. */
export function countAdmitted({ consumed, unreported, peersUnreported }: RateLimitWindow): number {
  return [...peersUnreported.values()].reduce((sum, count) => sum + count, consumed + unreported)
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
    const added: RateLimitWindow = {
      ...window,
      unreported: 0,
      reporting: 0,
      peersUnreported: new Map(),
      allowance: undefined,
    }
    windows.set(site, added)
    return added
  }
  return {
    find,
    open: (site) => add(site, { name: '', consumed: 0, openUntil: now() + windowMs, overAt: now() + windowMs }),
    update(site, { name, consumed, resetMs, requestedAt, respondedAt }) {
      const times = { openUntil: requestedAt + resetMs, overAt: respondedAt + resetMs }
      const window = find(site)
      const isNext = window !== undefined && window.name !== name && requestedAt >= window.openUntil
      if (window === undefined || isNext) return void add(site, { name, consumed, ...times })
      const isSame = window.name === name
      Object.assign(window, times, { name, consumed: isSame ? Math.max(window.consumed, consumed) : consumed })
    },
    applyPeerCounts(gateway, counts) {
      for (const { site, window: name, consumed, unreported, ends_in_ms } of counts) {
        const endsAt = now() + ends_in_ms
        const window = find(site) ?? add(site, { name, consumed, openUntil: endsAt, overAt: endsAt })
        // Gateways agree on the end of a window within milliseconds: one that ends much earlier is the previous window.
        if (endsAt <= window.openUntil - windowMs / 2) continue
        if (consumed > window.consumed) Object.assign(window, { name, consumed })
        window.peersUnreported.set(gateway, unreported)
      }
    },
    list() {
      const at = now()
      return [...windows].flatMap(([site, { name, consumed, unreported, openUntil }]) =>
        openUntil <= at || (name === '' && unreported === 0)
          ? []
          : [{ site, window: name, consumed, unreported, ends_in_ms: openUntil - at }],
      )
    },
    sites: () => [...windows.keys()],
  }
}
