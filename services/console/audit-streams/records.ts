import { randomUUID } from 'node:crypto'
import type { AuditRecord } from '#admin-api'
import { toTimestamp } from '#runtime'
import { toAuditEntry } from '../audit/to-audit-entry.ts'
import type { StoredRecord } from '../store/audit-records.ts'

/** A record to send. */
export interface RecordToSend {
  readonly record: AuditRecord
  readonly recordedAt: Date
}

/** @param sequence of the record in its stream */
export function toRecordToSend(stored: StoredRecord, sequence: number): RecordToSend {
  const { record_id, part, recorded_at } = stored
  return { record: { ...toAuditEntry(stored), record_id, part, sequence }, recordedAt: recorded_at }
}

/** A record that shows whether a stream works, and is not in the audit trail. */
export function createTestRecord({ account, actor, actor_kind, address, request_id }: TestOrigin): RecordToSend {
  const recordedAt = new Date()
  const record: AuditRecord = {
    record_id: randomUUID(),
    part: 'test',
    sequence: 0,
    entry: '0',
    at: toTimestamp(recordedAt),
    action: 'testAuditStream',
    account,
    site_id: null,
    actor,
    actor_kind,
    member_id: null,
    token_id: null,
    address,
    request_id,
    outcome: 'succeeded',
    fault: null,
    before: null,
    after: null,
  }
  return { record, recordedAt }
}

type TestOrigin = Pick<AuditRecord, 'account' | 'actor' | 'actor_kind' | 'address' | 'request_id'>
