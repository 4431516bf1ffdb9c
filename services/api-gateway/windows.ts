import type { SiteCount } from '#contracts'

/** A site's window as this gateway knows it; times are of the monotonic clock (ms). */
export interface Window {
  /** Redis' name of the window; empty while Redis does not know it. */
  name: string
  /** Requests that all gateways admitted in it, as Redis last returned. */
  consumed: number
  /** Requests that this gateway admitted in it and has not reported to Redis. */
  unreported: number
  /** It is certainly open before `open_until` and certainly over after `over_at`: the response of Redis is from in between. */
  open_until: number
  over_at: number
  /** How many requests this gateway may still admit by itself; computed once per outage of Redis. */
  allowance: { readonly outage: number; left: number } | undefined
}

/** The sites' windows by site. */
export interface Windows {
  /** The site's window; undefined when it has none or it is over. */
  readonly find: (site: number) => Window | undefined
  /** Opens a window that Redis does not know of. */
  readonly open: (site: number) => Window
  /** Stores what Redis returned of the site's window. */
  readonly update: (site: number, counted: Counted) => void
  /** Stores what another gateway knows, if it is more. */
  readonly hear: (counts: readonly SiteCount[]) => void
  /** Open windows as Redis last returned them. */
  readonly list: () => SiteCount[]
  readonly sites: () => Iterable<number>
}

export interface Counted {
  readonly name: string
  readonly consumed: number
  /** Time until the window ends, measured between `askedAt` and `answeredAt`. */
  readonly resetMs: number
  readonly askedAt: number
  readonly answeredAt: number
}

export function createWindows(windowMs: number, now: () => number = () => performance.now()): Windows {
  const windows = new Map<number, Window>()

  const find = (site: number) => {
    const window = windows.get(site)
    if (window === undefined || now() < window.over_at) return window
    windows.delete(site)
    return undefined
  }
  const put = (site: number, window: Pick<Window, 'name' | 'consumed' | 'open_until' | 'over_at'>) => {
    const added: Window = { ...window, unreported: 0, allowance: undefined }
    windows.set(site, added)
    return added
  }
  return {
    find,
    open: (site) => put(site, { name: '', consumed: 0, open_until: now() + windowMs, over_at: now() + windowMs }),
    update(site, { name, consumed, resetMs, askedAt, answeredAt }) {
      const times = { open_until: askedAt + resetMs, over_at: answeredAt + resetMs }
      const known = find(site)
      const isNext = known !== undefined && known.name !== name && askedAt >= known.open_until
      if (known === undefined || isNext) return void put(site, { name, consumed, ...times })
      const isSame = known.name === name
      Object.assign(known, times, { name, consumed: isSame ? Math.max(known.consumed, consumed) : consumed })
    },
    hear(counts) {
      for (const { site, window: name, consumed, ends_in_ms } of counts) {
        const endsAt = now() + ends_in_ms
        const known = find(site)
        if (known === undefined) put(site, { name, consumed, open_until: endsAt, over_at: endsAt })
        // Gateways see the same window end within milliseconds of each other: one that ends much earlier is the previous one.
        else if (consumed > known.consumed && endsAt > known.open_until - windowMs / 2)
          Object.assign(known, { name, consumed })
      }
    },
    list() {
      const at = now()
      return [...windows].flatMap(([site, { name, consumed, open_until }]) =>
        name === '' || open_until <= at ? [] : [{ site, window: name, consumed, ends_in_ms: open_until - at }],
      )
    },
    sites: () => [...windows.keys()],
  }
}
