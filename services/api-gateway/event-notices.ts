import { type Bus, subscribeNotice } from '#bus'
import { eventsContract } from '#contracts'
import type { Logger } from '#runtime'

/** Wakes requests that wait for events of their sites. */
export interface EventNotices extends Disposable {
  /** Remembers notices about a site from now on, until disposed of. Undefined if too many requests wait. */
  readonly open: (site: number) => EventWaiter | undefined
}

export interface EventWaiter extends Disposable {
  /** Resolves at a notice since the last call, or after so many milliseconds, or when the signal aborts. */
  readonly next: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Requests that wait at a gateway, in all and of a site. Others are answered at once. Our choice. */
const mostWaiting = { all: 2_000, of_site: 20 }

export function createEventNotices({ bus, logger }: { readonly bus: Bus; readonly logger: Logger }): EventNotices {
  const waiting = new Map<number, Set<() => void>>()
  let count = 0
  const subscription = subscribeNotice(
    bus,
    eventsContract,
    'recorded',
    ({ sites }) => {
      for (const site of sites) for (const wake of waiting.get(site) ?? []) wake()
    },
    logger,
  )
  return {
    open(site) {
      const ofSite = waiting.get(site) ?? new Set()
      if (count >= mostWaiting.all || ofSite.size >= mostWaiting.of_site) return undefined
      let isNotified = false
      let resolveNext = () => {}
      const wake = () => {
        isNotified = true
        resolveNext()
      }
      count++
      waiting.set(site, ofSite.add(wake))
      return {
        async next(ms, signal) {
          if (!isNotified && !signal.aborted) {
            const { promise, resolve } = Promise.withResolvers<void>()
            const wakeUp = () => resolve()
            const timer = setTimeout(wakeUp, ms)
            resolveNext = wakeUp
            signal.addEventListener('abort', wakeUp)
            await promise
            clearTimeout(timer)
            signal.removeEventListener('abort', wakeUp)
          }
          isNotified = false
        },
        [Symbol.dispose]() {
          if (!ofSite.delete(wake)) return
          count--
          if (ofSite.size === 0) waiting.delete(site)
        },
      }
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}
