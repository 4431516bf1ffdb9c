import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate as received } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { type Bus, publishNotice, subscribeNotice } from '#bus'
import { apiGatewayContract, type WindowCount } from '#contracts'
import { createGauge, type Logger } from '#runtime'
import type { MonitoredRedis } from '../redis.ts'
import type { RateLimitWindows } from './rate-limit-windows.ts'

/** The running gateways, including this one. */
export interface GatewayPeers extends Disposable {
  readonly count: () => number
  /**
   * Number of the current outage: at least one gateway cannot count in Redis. Undefined while all can. If gateways disagree
   * on whether an outage ended, because their messages are slow, all of them continue with the newest.
   */
  readonly outage: () => number | undefined
  /** Resolves when the other gateways have published their rate limit windows, or after a short wait. */
  readonly countsExchanged: () => Promise<void>
}

const defaultHeartbeatIntervalMs = 1_000
/** Without a heartbeat for this long, a gateway counts as stopped. Our choice. */
const heartbeatTimeoutMs = 3_500
/** Windows in one message, far below NATS' limit of 1 MiB. */
const windowsPerMessage = 4_000

export interface GatewayPeersOptions {
  readonly redis: Pick<MonitoredRedis, 'usable' | 'onChange'>
  readonly windows: RateLimitWindows
  readonly logger: Logger
  readonly registry: Registry
  /**
   * How long requests wait at most for the counts of other gateways at the start of an outage. Shares computed without them
   * admit more than the limit. Counts take milliseconds, but more if a machine is too busy; a gateway that stopped with Redis
   * never sends them. Default: 1,000 (our choice).
   */
  readonly exchangeTimeoutMs?: number
  /** How often this gateway says that it runs. Default: 1,000. */
  readonly heartbeatIntervalMs?: number
}

export function watchGatewayPeers(
  bus: Bus,
  {
    redis,
    windows,
    logger,
    registry,
    exchangeTimeoutMs = 1_000,
    heartbeatIntervalMs = defaultHeartbeatIntervalMs,
  }: GatewayPeersOptions,
): GatewayPeers {
  const self = randomUUID()
  /** The other gateways by ID. */
  const peers = new Map<string, { lastSeenAt: number; counts_in_redis: boolean }>()
  /** The newest outage that any gateway published. */
  let newestOutage = 0
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
        outage: newestOutage,
        windows: sites,
        is_last: counts.length === 0,
      })
    } while (counts.length > 0)
  }
  const enterOutage = (number: number) => {
    newestOutage = number
    outage = number
    publishWindows()
    // Nothing that arrived before belongs to an outage with this number, so the counts of all gateways are missing.
    const missing = new Set(peers.keys())
    wait?.resolve()
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
    else if (outage === undefined) enterOutage(newestOutage + 1)
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
      const peer = peers.get(gateway)
      peers.set(gateway, { lastSeenAt: receivedAt, counts_in_redis })
      // A new gateway must know the number of gateways before Redis fails.
      if (peer === undefined) publishHeartbeat()
      const needsCounts = peer === undefined || (peer.counts_in_redis && !counts_in_redis)
      if (outage !== undefined && needsCounts) publishWindows()
      update()
    },
    logger,
  )
  const windowsSubscription = subscribeNotice(
    bus,
    apiGatewayContract,
    'rateLimitWindows',
    ({ gateway, outage: number, windows: sites, is_last }) => {
      if (gateway === self) return
      windows.applyPeerCounts(gateway, sites)
      // The other gateway counted in Redis since the outage that this one is still in.
      if (outage !== undefined && number > newestOutage) enterOutage(number)
      newestOutage = Math.max(newestOutage, number)
      // The counts can be those of an earlier outage, after which the other gateway counted in Redis again.
      if (!is_last || outage === undefined || number < outage) return
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
