import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate as received } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { type Bus, publishNotice, subscribeNotice } from '#bus'
import { apiGatewayContract, type WindowCount } from '#contracts'
import { createGauge, type Logger } from '#runtime'
import type { RateLimitWindows } from './rate-limit-windows.ts'
import type { MonitoredRedis } from './redis.ts'

/** The running gateways, including this one. */
export interface GatewayPeers extends Disposable {
  readonly count: () => number
  /** Number of the current outage: at least one gateway cannot count in Redis. Undefined while all can. */
  readonly outage: () => number | undefined
  /** Resolves when the other gateways have published their rate limit windows, or after a short wait. */
  readonly countsExchanged: () => Promise<void>
}

const heartbeatIntervalMs = 1_000
/** Without a heartbeat for this long, a gateway counts as stopped. Our choice. */
const heartbeatTimeoutMs = 3_500
/**
 * How long requests wait at most for the counts of other gateways at the start of an outage. Shares computed without them
 * admit more than the limit. Counts take milliseconds, but more if a machine is too busy; a gateway that stopped with Redis
 * never sends them. Our choice.
 */
const exchangeTimeoutMs = 1_000
/** Windows in one message, far below NATS' limit of 1 MiB. */
const windowsPerMessage = 4_000

export function watchGatewayPeers(
  bus: Bus,
  options: { redis: MonitoredRedis; windows: RateLimitWindows; logger: Logger; registry: Registry },
): GatewayPeers {
  const { redis, windows, logger, registry } = options
  const self = randomUUID()
  /** The other gateways by ID. */
  const peers = new Map<string, { lastSeenAt: number; counts_in_redis: boolean }>()
  let outages = 0
  let outage: number | undefined
  let exchanged = Promise.resolve()
  let wait: { readonly missing: Set<string>; readonly resolve: () => void } | undefined

  const publishHeartbeat = () => {
    if (bus.connected())
      publishNotice(bus, apiGatewayContract, 'gatewayHeartbeat', { gateway: self, counts_in_redis: redis.usable() })
  }
  const publishWindows = () => {
    if (!bus.connected()) return
    const counts = windows.list()
    do {
      const sites: WindowCount[] = counts.splice(0, windowsPerMessage)
      publishNotice(bus, apiGatewayContract, 'rateLimitWindows', {
        gateway: self,
        windows: sites,
        is_last: counts.length === 0,
      })
    } while (counts.length > 0)
  }
  const startOutage = () => {
    outage = ++outages
    publishWindows()
    // Gateways publish their counts only after this one learned of the outage, so all of them are missing.
    const missing = new Set(peers.keys())
    if (missing.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wait = { missing, resolve }
    // After a pause of this process the time is over at once, but the counts have arrived: they are read first.
    const timeout = delay(exchangeTimeoutMs, undefined, { ref: false }).then(() => received())
    exchanged = Promise.race([promise, timeout])
  }
  const update = () => {
    const peersCountInRedis = !bus.connected() || [...peers.values()].every(({ counts_in_redis }) => counts_in_redis)
    if (redis.usable() && peersCountInRedis) outage = undefined
    else if (outage === undefined) startOutage()
  }
  redis.onChange(() => {
    publishHeartbeat()
    update()
  })

  const heartbeatSubscription = subscribeNotice(
    bus,
    apiGatewayContract,
    'gatewayHeartbeat',
    ({ gateway, counts_in_redis }) => {
      const receivedAt = performance.now()
      if (gateway === self) {
        // Only if this gateway receives its own heartbeat, missing heartbeats of others mean that they stopped.
        for (const [other, known] of peers) if (receivedAt - known.lastSeenAt > heartbeatTimeoutMs) peers.delete(other)
        return update()
      }
      const known = peers.get(gateway)
      peers.set(gateway, { lastSeenAt: receivedAt, counts_in_redis })
      // A new gateway must know the number of gateways before Redis fails.
      if (known === undefined) publishHeartbeat()
      const needsCounts = known === undefined || (known.counts_in_redis && !counts_in_redis)
      if (outage !== undefined && needsCounts) publishWindows()
      update()
    },
    logger,
  )
  const windowsSubscription = subscribeNotice(
    bus,
    apiGatewayContract,
    'rateLimitWindows',
    ({ gateway, windows: sites, is_last }) => {
      if (gateway === self) return
      windows.applyPeerCounts(sites)
      if (!is_last) return
      wait?.missing.delete(gateway)
      if (wait?.missing.size === 0) wait.resolve()
    },
    logger,
  )
  createGauge(registry, 'sociallogin_gateways_serving', (gauge) => gauge.set(peers.size + 1))
  publishHeartbeat()
  update()
  const timer = setInterval(publishHeartbeat, heartbeatIntervalMs)

  return {
    count: () => peers.size + 1,
    outage: () => outage,
    countsExchanged: () => exchanged,
    [Symbol.dispose]() {
      clearInterval(timer)
      heartbeatSubscription[Symbol.dispose]()
      windowsSubscription[Symbol.dispose]()
    },
  }
}
