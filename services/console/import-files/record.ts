import type { z } from 'zod'
import { type AdminReason, formatReason } from '#admin-api'
import type { UserRecord } from '#contracts'

/** A record as it is sent; the console checks it. */
export type WrittenRecord = z.input<typeof UserRecord>

/** A record that is not imported, but counted and listed as rejected. */
export interface RejectedRecord {
  readonly rejected: readonly RecordProblem[]
}

export interface RecordProblem {
  /** Empty if the reason is about the whole record. */
  readonly field: string
  readonly reason: AdminReason
}

/** A record of a file, as its format has it, with its line number, or its number for formats without lines. */
export interface NumberedRecord {
  readonly line: number
  /** A `RejectedRecord` if it cannot become a user. */
  readonly record: unknown
}

/** A record of a file, and what it leaves out. */
export interface ReadRecord extends NumberedRecord {
  /** Names, as in the file, of the accounts that the record omits. */
  readonly omitted?: readonly OmittedAccount[]
}

export interface OmittedAccount {
  readonly name: string
  readonly because: 'unknown_provider' | 'second_of_provider' | 'not_of_a_provider'
}

/** A file that cannot be imported, or options that do not fit it. */
export class ImportFileError extends Error {
  override readonly name = 'ImportFileError'
  readonly reason: AdminReason

  constructor(reason: AdminReason, options?: ErrorOptions) {
    super(formatReason(reason), options)
    this.reason = reason
  }
}

export function rejectRecord(field: string, reason: AdminReason): RejectedRecord {
  return { rejected: [{ field, reason }] }
}

export function isRejected(record: unknown): record is RejectedRecord {
  return typeof record === 'object' && record !== null && Object.hasOwn(record, 'rejected')
}
