import type { z } from 'zod'
import type { AdminReason } from '#admin-api'
import type { UserRecord } from '#contracts'

/** A record as it is sent; the console checks it. */
export type WrittenRecord = z.input<typeof UserRecord>

/** A record that is not sent to be imported, but to be counted and listed as rejected, with its problems. */
export interface RejectedRecord {
  readonly rejected: readonly RecordProblem[]
}

/** @property field empty if the reason is about the whole record */
export interface RecordProblem {
  readonly field: string
  readonly reason: Pick<AdminReason, 'name' | 'parameters'>
}

/** A record of a file, as its format has it, with its line number, or its number for formats without lines. */
export interface NumberedRecord {
  readonly line: number
  /** A string if the line is not JSON, a `RejectedRecord` if it cannot become a user. */
  readonly record: unknown
}

/** Our provider of the names that another system gives to login providers. */
export type ProviderMap = ReadonlyMap<string, string>

/** A user of another system, converted. */
export interface ConvertedUser {
  readonly record: WrittenRecord | RejectedRecord
  /** Names, as in the file, of the login providers whose accounts the record omits. */
  readonly omitted: readonly string[]
}

/** Converts one user of another system. @throws z.ZodError if the user has not the form of that system */
export type ConvertUser = (user: unknown, providers: ProviderMap) => WrittenRecord

/** A file that cannot be imported, or options that do not fit it. The message says why, and what to do. */
export class ImportFileError extends Error {
  override readonly name = 'ImportFileError'
}
