import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { limits, type NewEvent } from '#contracts'
import { type Encryptor, type LeaseState, type Logger, startLeaseWorker } from '#runtime'
import { startEventMetrics } from './event-metrics.ts'
import { deletePendingEvents, holdRelay, listPendingEvents, type PendingEvent, releaseRelay } from './pending-events.ts'

interface EventRelayOptions {
  readonly knex: Knex
  /** Adds events to the stream. @returns the IDs of those that must be sent again */
  readonly record: (events: NewEvent[]) => Promise<{ readonly waiting: readonly string[] }>
  /** Of a service that encrypts its pending events. */
  readonly encryptor?: Pick<Encryptor, 'decrypt'>
  readonly logger: Logger
  readonly registry: Registry
}

/** Pause between looks for new events. A busy relay sends the events of this time in one message. Our choice. */
const pollMs = 200
/** Pause between looks for the lease, and after a failure. Our choice. */
const idleMs = 1_000
/** A round ends when this many users must wait, because the next one reads and sends their events again. Our choice. */
const mostWaiting = 2_000
/** After the end of a replica, another one takes over within this time. Our choice. */
const leaseSeconds = 5

/**
 * Sends a service's pending events to the stream until disposed. One replica at a time does, unless its lease ends while it is
 * slow. Then two send the same events, which the stream ignores.
 *
 * The events of a user are sent in order, because each batch starts with the first pending events of its users. Users whose events
 * must wait are left out until the next round.
 */
export function startEventRelay({ knex, record, encryptor, logger, registry }: EventRelayOptions): AsyncDisposable {
  const holder = randomUUID()
  const metrics = startEventMetrics({ knex, logger, registry })

  /** Sends all pending events once. */
  const sendAll = async (mayContinue: LeaseState['mayContinue']) => {
    const waiting = new Set<string>()
    while (mayContinue()) {
      const pending = await listPendingEvents(knex, { without: waiting, limit: limits.event_batch }, encryptor)
      if (pending.length === 0) return
      const batch = takeBatch(pending)
      const answer = await record(batch.map(({ event }) => event))
      const isWaiting = ({ event }: PendingEvent) => answer.waiting.includes(event.id)
      for (const { subject } of batch.filter(isWaiting)) waiting.add(subject)
      await deletePendingEvents(
        knex,
        batch.filter((row) => !isWaiting(row)),
      )
      const isLast = batch.length < limits.event_batch && batch.length === pending.length
      if (isLast || waiting.size >= mostWaiting) return
    }
  }
  const worker = startLeaseWorker<'relay'>(
    {
      lease: async () => ((await holdRelay(knex, holder, leaseSeconds)) ? ['relay'] : []),
      async renew(running) {
        if (running.length > 0 && !(await holdRelay(knex, holder, leaseSeconds)))
          throw new Error('Another replica holds the lease of the event relay.')
      },
      async work(_, { mayContinue, stopping }) {
        while (mayContinue()) {
          const pauseMs = await sendAll(mayContinue).then(
            () => pollMs,
            (error: unknown) => {
              logger.warn({ error }, 'events not sent to the stream; retrying')
              return idleMs
            },
          )
          await delay(pauseMs, undefined, { signal: stopping }).catch(() => {})
        }
        await releaseRelay(knex, holder).catch((error: unknown) =>
          logger.warn({ error }, 'lease of the event relay not released; it ends by itself'),
        )
      },
    },
    { logger, rows: 'the event relay', leaseSeconds, pollMs: idleMs, leasedAtOnce: 1, concurrency: 1 },
  )
  return {
    async [Symbol.asyncDispose]() {
      metrics[Symbol.dispose]()
      await worker[Symbol.asyncDispose]()
    },
  }
}

/** The first events that fit into one message and are recorded in the time of one call, at least one. */
function takeBatch(pending: readonly PendingEvent[]): readonly PendingEvent[] {
  let bytes = 0
  const sites = new Set<number>()
  const end = pending.findIndex(({ event }, place) => {
    bytes += Buffer.byteLength(JSON.stringify(event))
    sites.add(event.site)
    return place > 0 && (bytes > limits.event_batch_bytes || sites.size > limits.event_batch_sites)
  })
  return end === -1 ? pending : pending.slice(0, end)
}
