import type { Knex } from 'knex'
import type { Encryptor } from '#runtime'
import { listAuditRecords, type StoredRecord } from '../store/audit-records.ts'
import { findLeasedStream, type StreamToSend, storeBatchProgress } from '../store/audit-stream-leases.ts'
import { toRecordToSend } from './records.ts'
import { openStreamSecrets } from './secrets.ts'
import { type RecordSender, type SendResult, unreadable } from './send-records.ts'

/** Records between two commits, and about how many bytes they may have. Our choice. */
const batchSize = 100
const batchBytes = 1_000_000

export interface BatchDeps {
  readonly knex: Knex
  readonly encryptor: Pick<Encryptor, 'decrypt'>
  readonly sender: RecordSender
  readonly recordResult: (stream: Pick<StreamToSend, 'kind'>, result: SendResult) => void
}

interface LeaseState {
  /** Names this replica. */
  readonly lease: string
  /** Whether this replica still has the stream, and is not stopping. */
  readonly mayContinue: () => boolean
}

/**
 * Sends the next records of a leased stream, and then stores how far the receiver has got them. What was received, but not stored
 * because this process ended, is sent again, with the same IDs.
 *
 * @returns false if there was nothing to send, something failed, or the stream is no longer leased
 */
export async function sendBatch(
  streamId: string,
  { knex, encryptor, sender, recordResult }: BatchDeps,
  { lease, mayContinue }: LeaseState,
): Promise<boolean> {
  const stream = await findLeasedStream(knex, streamId, lease)
  if (stream === undefined) return false
  const { account, cursor, sent } = stream
  const stored = takeBatch(await listAuditRecords(knex, { account, after: cursor, limit: batchSize }))
  if (stored.length === 0 || !mayContinue()) return false
  const records = stored.map((record, place) => toRecordToSend(record, sent + place + 1))
  const secrets = await openStreamSecrets(encryptor, stream.secrets)
  const result = secrets === undefined ? unreadable() : await sender.send({ ...stream, secrets }, records, mayContinue)
  // Attempts that the end of this process aborted do not count.
  const counted = mayContinue() ? result : { ...result, failure: null }
  if (counted.received === 0 && counted.failure === null) return false
  recordResult(stream, counted)
  const last = stored[counted.received - 1]
  const isStored = await storeBatchProgress(knex, stream, lease, { ...counted, cursor: last?.position ?? cursor })
  return isStored && counted.failure === null
}

/** The first records that fit into one request, at least one. */
function takeBatch(records: readonly StoredRecord[]): readonly StoredRecord[] {
  let bytes = 0
  const end = records.findIndex((record, place) => {
    bytes += Buffer.byteLength(JSON.stringify(record))
    return place > 0 && bytes > batchBytes
  })
  return end === -1 ? records : records.slice(0, end)
}
