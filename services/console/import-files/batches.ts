import { type NumberedRecord, rejectRecord } from './record.ts'

/** A part of a file for `sendImportBatch`. */
export interface RecordBatch {
  readonly number: number
  /** The line of the first record; the others follow without a gap. */
  readonly first_line: number
  readonly records: unknown[]
}

/** The maximum size of a batch: `import_batch_users` and `import_batch_bytes`. */
export interface BatchLimits {
  readonly users: number
  readonly bytes: number
}

/** For the other fields of the request. */
const spareBytes = 1_024

/** Divides records into batches. The same file always has the same batches, so that an import can be continued. */
export async function* divideIntoBatches(
  records: AsyncIterable<NumberedRecord>,
  { users: mostUsers, bytes: bodyBytes }: BatchLimits,
): AsyncGenerator<RecordBatch> {
  const mostBytes = bodyBytes - spareBytes
  const encoder = new TextEncoder()
  let batch: RecordBatch = { number: 0, first_line: 0, records: [] }
  let bytes = 0
  for await (const { line, record } of records) {
    const size = encoder.encode(JSON.stringify(record)).length + 1
    const { number, first_line, records: written } = batch
    const isFull = written.length === mostUsers || bytes + size > mostBytes
    if (written.length > 0 && (isFull || line !== first_line + written.length)) {
      yield batch
      batch = { number: number + 1, first_line: line, records: [] }
      bytes = 0
    } else if (written.length === 0) batch = { ...batch, first_line: line }
    batch.records.push(size > mostBytes ? rejectRecord('', { name: 'record_too_long', parameters: {} }) : record)
    bytes += Math.min(size, mostBytes)
  }
  if (batch.records.length > 0) yield batch
}
