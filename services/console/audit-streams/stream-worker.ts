import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '#runtime'
import { placeAuditRecords } from '../store/audit-records.ts'
import { leaseAuditStreams, releaseAuditStream, renewAuditStreamLeases } from '../store/audit-stream-leases.ts'
import { type BatchDeps, sendBatch } from './send-batch.ts'

/** How long the streams of a replica that died wait at most, until another one looks. Our choice. */
const leaseSeconds = 10
const renewalsPerLease = 4
/** Pause between looks for new records and due attempts. Our choice. */
const pollMs = 1_000
/** Pause after an error of our own, such as a lost connection to the database. Our choice. */
const errorPauseMs = 10_000
/** Streams that one statement leases. Our choice. */
const leasedAtOnce = 100
/** How long running requests may take when this process ends. Our choice. */
const stopMs = 3_000

/**
 * Places records, leases streams that have some to send, and sends to each of them independently of the others, one batch at a
 * time, until disposed. A replica renews its leases, so that the streams of one that died continue elsewhere; one that could not
 * renew them sends nothing more.
 */
export function startAuditStreams(deps: BatchDeps & { readonly logger: Logger }): AsyncDisposable {
  const { knex, logger, sender } = deps
  const lease = randomUUID()
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let renewedAt = performance.now()
  const mayContinue = () => !stopping.signal.aborted && performance.now() - renewedAt < leaseSeconds * 1_000

  const sendAll = async (streamId: string) => {
    try {
      while (mayContinue() && (await sendBatch(streamId, deps, { lease, mayContinue })));
    } catch (error) {
      logger.warn({ error, stream: streamId }, 'records of an audit stream not sent or stored; retrying')
      await delay(errorPauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await releaseAuditStream(knex, streamId, lease).catch((error: unknown) =>
      logger.warn({ error, stream: streamId }, 'audit stream not released; it is leased again'),
    )
  }
  const look = async (): Promise<number> => {
    try {
      await placeAuditRecords(knex)
      const options = { lease, running: [...running.keys()], seconds: leaseSeconds, limit: leasedAtOnce }
      const streams = await leaseAuditStreams(knex, options)
      for (const streamId of streams) {
        const sending = sendAll(streamId).finally(() => {
          // It may have been leased again since it was released.
          if (running.get(streamId) === sending) running.delete(streamId)
        })
        running.set(streamId, sending)
      }
      return streams.length
    } catch (error) {
      logger.warn({ error }, 'audit streams not read; retrying')
      return 0
    }
  }
  const work = async () => {
    while (!stopping.signal.aborted) {
      if ((await look()) < leasedAtOnce)
        await delay(pollMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  const renew = async () => {
    const startedAt = performance.now()
    await renewAuditStreamLeases(knex, lease, leaseSeconds)
    renewedAt = startedAt
  }
  const working = work()
  const renewal = setInterval(
    () => renew().catch((error: unknown) => logger.warn({ error }, 'leases of audit streams not renewed; retrying')),
    (leaseSeconds * 1_000) / renewalsPerLease,
  ).unref()

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await working
      await Promise.race([Promise.all(running.values()), delay(stopMs, undefined, { ref: false })])
      await sender[Symbol.asyncDispose]()
      await Promise.all(running.values())
      clearInterval(renewal)
    },
  }
}
