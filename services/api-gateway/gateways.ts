import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { type Bus, publishNotice, subscribeNotice } from '#bus'
import { apiGateway, type SiteCount } from '#contracts'
import { createGauge, type Logger } from '#runtime'
import type { WatchedRedis } from './redis.ts'
import type { Windows } from './windows.ts'

/** The gateways that serve, this one among them. */
export interface Gateways extends Disposable {
  readonly count: () => number
  /** Number of the current outage: at least one gateway cannot count in Redis. Undefined while all can. */
  readonly outage: () => number | undefined
  /** Resolves once the other gateways have published what they know of the windows, or after a short wait. */
  readonly knowledgeShared: () => Promise<void>
}

const publishedEveryMs = 1_000
/** A gateway that published nothing for so long no longer serves. Our choice. */
const forgottenAfterMs = 3_500
/** How long requests wait at the start of an outage for the counts of other gateways. Our choice. */
const sharedWithinMs = 250
/** Sites in one message, which stays far below NATS' 1 MiB. */
const sitesInMessage = 4_000

export function countGateways(
  bus: Bus,
  options: { redis: WatchedRedis; windows: Windows; logger: Logger; registry: Registry },
): Gateways {
  const { redis, windows, logger, registry } = options
  const self = randomUUID()
  /** The others. */
  const gateways = new Map<string, { heard_at: number; counts_in_redis: boolean }>()
  let outages = 0
  let outage: number | undefined
  let shared = Promise.resolve()
  let wait: { readonly missing: Set<string>; readonly resolve: () => void } | undefined

  const publishServes = () => {
    if (bus.connected())
      publishNotice(bus, apiGateway, 'gatewayServes', { gateway: self, counts_in_redis: redis.usable() })
  }
  const publishCounts = () => {
    if (!bus.connected()) return
    const counts = windows.list()
    do {
      const sites: SiteCount[] = counts.splice(0, sitesInMessage)
      publishNotice(bus, apiGateway, 'sitesCounted', { gateway: self, sites, is_last: counts.length === 0 })
    } while (counts.length > 0)
  }
  const startOutage = () => {
    outage = ++outages
    publishCounts()
    // Each gateway publishes its counts only after this gateway learned of the outage, so all of them are still missing.
    const missing = new Set(gateways.keys())
    if (missing.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wait = { missing, resolve }
    shared = Promise.race([promise, delay(sharedWithinMs, undefined, { ref: false })])
  }
  const update = () => {
    const othersCount = !bus.connected() || [...gateways.values()].every(({ counts_in_redis }) => counts_in_redis)
    if (redis.usable() && othersCount) outage = undefined
    else if (outage === undefined) startOutage()
  }
  redis.follow(() => {
    publishServes()
    update()
  })

  const hearingGateways = subscribeNotice(
    bus,
    apiGateway,
    'gatewayServes',
    ({ gateway, counts_in_redis }) => {
      const heardAt = performance.now()
      if (gateway === self) {
        // While this gateway does not hear itself, silence of the others says nothing about them.
        for (const [other, known] of gateways) if (heardAt - known.heard_at > forgottenAfterMs) gateways.delete(other)
        return update()
      }
      const known = gateways.get(gateway)
      gateways.set(gateway, { heard_at: heardAt, counts_in_redis })
      // A gateway that just started must know how many share a site's limit before Redis fails.
      if (known === undefined) publishServes()
      const needsCounts = known === undefined || (known.counts_in_redis && !counts_in_redis)
      if (outage !== undefined && needsCounts) publishCounts()
      update()
    },
    logger,
  )
  const hearingCounts = subscribeNotice(
    bus,
    apiGateway,
    'sitesCounted',
    ({ gateway, sites, is_last }) => {
      if (gateway === self) return
      windows.hear(sites)
      if (!is_last) return
      wait?.missing.delete(gateway)
      if (wait?.missing.size === 0) wait.resolve()
    },
    logger,
  )
  createGauge(registry, 'sociallogin_gateways_serving', (gauge) => gauge.set(gateways.size + 1))
  publishServes()
  update()
  const timer = setInterval(publishServes, publishedEveryMs)

  return {
    count: () => gateways.size + 1,
    outage: () => outage,
    knowledgeShared: () => shared,
    [Symbol.dispose]() {
      clearInterval(timer)
      hearingGateways[Symbol.dispose]()
      hearingCounts[Symbol.dispose]()
    },
  }
}
