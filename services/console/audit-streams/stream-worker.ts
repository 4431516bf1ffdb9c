import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type LeaseState, type Logger, startLeaseWorker } from '#runtime'
import { placeAuditRecords } from '../store/audit-records.ts'
import { leaseAuditStreams, releaseAuditStream, renewAuditStreamLeases } from '../store/audit-stream-leases.ts'
import { type BatchDeps, sendBatch } from './send-batch.ts'

/** How long the streams of a replica that died wait at most, until another one looks. Our choice. */
const leaseSeconds = 10
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
 * time, until disposed. A replica that could not renew its leases sends nothing more.
 */
export function startAuditStreams(deps: BatchDeps & { readonly logger: Logger }): AsyncDisposable {
  const { knex, logger, sender } = deps
  const lease = randomUUID()

  const sendAll = async (streamId: string, { mayContinue, stopping }: LeaseState) => {
    try {
      while (mayContinue() && (await sendBatch(streamId, deps, { lease, mayContinue })));
    } catch (error) {
      logger.warn({ error, stream: streamId }, 'records of an audit stream not sent or stored; retrying')
      await delay(errorPauseMs, undefined, { signal: stopping }).catch(() => {})
    }
    await releaseAuditStream(knex, streamId, lease).catch((error: unknown) =>
      logger.warn({ error, stream: streamId }, 'audit stream not released; it is leased again'),
    )
  }
  return startLeaseWorker<string>(
    {
      async lease(running, limit) {
        await placeAuditRecords(knex)
        return leaseAuditStreams(knex, { lease, running, seconds: leaseSeconds, limit })
      },
      renew: () => renewAuditStreamLeases(knex, lease, leaseSeconds),
      work: sendAll,
    },
    {
      logger,
      rows: 'audit streams',
      leaseSeconds,
      pollMs,
      leasedAtOnce,
      cutOff: { afterMs: stopMs, end: () => sender[Symbol.asyncDispose]() },
    },
  )
}
