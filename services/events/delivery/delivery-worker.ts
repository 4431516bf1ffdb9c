import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '#runtime'
import type { EndpointKey } from '../store/webhook-endpoints.ts'
import { leaseEndpoints, releaseEndpoint, renewLeases } from '../store/webhook-leases.ts'
import { type DeliveryDeps, deliverBatch } from './deliver-events.ts'

/** How long the endpoints of a replica that died wait at most, until another one looks. Our choice. */
const leaseSeconds = 10
const renewalsPerLease = 4
/** Pause between looks for due deliveries, and for events that other replicas recorded. Our choice. */
const pollMs = 1_000
/** Pause after an error of our own, such as a secret that cannot be decrypted. Our choice. */
const errorPauseMs = 10_000
/** Endpoints that one statement leases. Our choice. */
const leasedAtOnce = 100
/** How long running attempts may take when this process ends. Our choice. */
const stopMs = 3_000

/** Sends events to endpoints, until disposed. */
export interface DeliveryWorker extends AsyncDisposable {
  /** Looks for work now, because events were recorded or deliveries were planned. */
  readonly wake: () => void
}

/**
 * Leases endpoints that have work, and sends to each of them independently of the others. A replica renews its leases, so that
 * the endpoints of one that died continue elsewhere.
 */
export function startDeliveryWorker(deps: Omit<DeliveryDeps, 'lease'> & { readonly logger: Logger }): DeliveryWorker {
  const { knex, logger } = deps
  const lease = randomUUID()
  const stopping = new AbortController()
  /** Deliveries by the ID of their endpoint. */
  const running = new Map<string, Promise<void>>()
  let wakeUp = () => {}

  const deliver = async (endpoint: EndpointKey) => {
    let hasDelivered = false
    try {
      while (!stopping.signal.aborted && (await deliverBatch(endpoint, { ...deps, lease }, stopping.signal)))
        hasDelivered = true
    } catch (error) {
      logger.warn({ error, ...endpoint }, 'webhooks of an endpoint not sent or stored; retrying')
      await delay(errorPauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await releaseEndpoint(knex, endpoint, lease).catch((error: unknown) =>
      logger.warn({ error, ...endpoint }, 'endpoint not released; it is leased again'),
    )
    // Events that were recorded after the last batch was read.
    if (hasDelivered) wakeUp()
  }
  const leaseMore = async (): Promise<number> => {
    try {
      const options = { lease, running: [...running.keys()], seconds: leaseSeconds, limit: leasedAtOnce }
      const endpoints = await leaseEndpoints(knex, options)
      for (const endpoint of endpoints) {
        const delivery = deliver(endpoint).finally(() => {
          // Another delivery may have started since the endpoint was released.
          if (running.get(endpoint.endpoint_id) === delivery) running.delete(endpoint.endpoint_id)
        })
        running.set(endpoint.endpoint_id, delivery)
      }
      return endpoints.length
    } catch (error) {
      logger.warn({ error }, 'endpoints of webhooks not read; retrying')
      return 0
    }
  }
  const work = async () => {
    while (!stopping.signal.aborted) {
      const { promise: woken, resolve } = Promise.withResolvers<void>()
      wakeUp = resolve
      if ((await leaseMore()) < leasedAtOnce) await Promise.race([woken, delay(pollMs, undefined, { ref: false })])
    }
  }
  const working = work()
  const renewal = setInterval(
    () =>
      renewLeases(knex, lease, leaseSeconds).catch((error: unknown) =>
        logger.warn({ error }, 'leases of endpoints not renewed; retrying'),
      ),
    (leaseSeconds * 1_000) / renewalsPerLease,
  ).unref()

  return {
    wake: () => wakeUp(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      wakeUp()
      await working
      await Promise.race([Promise.all(running.values()), delay(stopMs, undefined, { ref: false })])
      await deps.sender[Symbol.asyncDispose]()
      await Promise.all(running.values())
      clearInterval(renewal)
    },
  }
}
