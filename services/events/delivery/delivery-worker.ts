import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type LeaseState, type LeaseWorker, type Logger, startLeaseWorker } from '#runtime'
import type { EndpointKey } from '../store/webhook-endpoints.ts'
import { leaseEndpoints, releaseEndpoint, renewLeases } from '../store/webhook-leases.ts'
import { type DeliveryDeps, deliverBatch } from './deliver-events.ts'

/** How long the endpoints of a replica that died wait at most, until another one looks. Our choice. */
const leaseSeconds = 10
/** Pause between looks for due deliveries, and for events that other replicas recorded. Our choice. */
const pollMs = 1_000
/** Pause after an error of our own, such as a secret that cannot be decrypted. Our choice. */
const errorPauseMs = 10_000
/** Endpoints that one statement leases. Our choice. */
const leasedAtOnce = 100
/** How long running attempts may take when this process ends. Our choice. */
const stopMs = 3_000

/**
 * Leases endpoints that have work, and sends events to each of them independently of the others, until disposed. `wake`: events were
 * recorded, or deliveries were planned.
 */
export function startDeliveryWorker(deps: Omit<DeliveryDeps, 'lease'> & { readonly logger: Logger }): LeaseWorker {
  const { knex, logger, sender } = deps
  const lease = randomUUID()

  const deliver = async (endpoint: EndpointKey, { mayContinue, stopping }: LeaseState) => {
    let hasDelivered = false
    try {
      while (mayContinue() && (await deliverBatch(endpoint, { ...deps, lease }, stopping))) hasDelivered = true
    } catch (error) {
      logger.warn({ error, ...endpoint }, 'webhooks of an endpoint not sent or stored; retrying')
      await delay(errorPauseMs, undefined, { signal: stopping }).catch(() => {})
    }
    await releaseEndpoint(knex, endpoint, lease).catch((error: unknown) =>
      logger.warn({ error, ...endpoint }, 'endpoint not released; it is leased again'),
    )
    // Events that were recorded after the last batch was read.
    if (hasDelivered) worker.wake()
  }
  const worker = startLeaseWorker<EndpointKey>(
    {
      lease: (running, limit) =>
        leaseEndpoints(knex, {
          lease,
          running: running.map(({ endpoint_id }) => endpoint_id),
          seconds: leaseSeconds,
          limit,
        }),
      renew: () => renewLeases(knex, lease, leaseSeconds),
      work: deliver,
    },
    {
      logger,
      rows: 'endpoints of webhooks',
      leaseSeconds,
      pollMs,
      leasedAtOnce,
      cutOff: { afterMs: stopMs, end: () => sender[Symbol.asyncDispose]() },
    },
  )
  return worker
}
