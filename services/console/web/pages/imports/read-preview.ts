import type { AdminReason } from '#admin-api'
import type { ReadRecord } from '../../../import-files/record.ts'
import { type FileOptions, toReadOptions } from './file-options.ts'

/** Users that are shown, and records that are read for the counts. Our choice: a second for a large file. */
const shownUsers = 10
const readRecords = 1_000

/** A user as the import will store it, or why it will not. */
export interface PreviewUser {
  readonly line: number
  readonly primary_key: string
  readonly name: string
  readonly accounts: readonly { readonly provider: string; readonly id: string }[]
  readonly rejected: AdminReason | undefined
}

/** The beginning of a file. */
export interface Preview {
  readonly format: string
  readonly users: readonly PreviewUser[]
  /** Names of accounts that are omitted because their provider is unknown, with their number and a guess. */
  readonly unknown: readonly { readonly name: string; readonly count: number; readonly guess: string | undefined }[]
  readonly blocked: number
}

/** @throws ImportFileError if the file cannot be imported */
export async function readPreview(file: File, options: FileOptions): Promise<Preview> {
  const { createSource, formatTitles, guessProvider, readImportFile, isRejected } = await import('./reader.ts')
  const { format, records, summary } = await readImportFile(createSource(file), toReadOptions(options))
  const users: PreviewUser[] = []
  let blocked = 0
  for await (const read of records) {
    const rejected = isRejected(read.record) ? read.record.rejected[0]?.reason : undefined
    if (rejected?.name === 'user_is_blocked') blocked++
    if (users.length < shownUsers) users.push(toPreviewUser(read, rejected))
    if (summary.records === readRecords) break
  }
  const unknown = [...summary.omitted].flatMap(([name, { because, count }]) =>
    because === 'unknown_provider' ? [{ name, count, guess: guessProvider(name) }] : [],
  )
  return { format: formatTitles[format], users, unknown, blocked }
}

function toPreviewUser({ line, record }: ReadRecord, rejected: AdminReason | undefined): PreviewUser {
  const { primary_key, links }: Readonly<Record<string, unknown>> = Object(record)
  const accounts = (Array.isArray(links) ? links : []).map((link) => Object(link))
  const names = accounts.map((link) => Object(Object(link.data).profile))
  const name = names.map(
    ({ full_name, user_name, first_name, last_name }) =>
      full_name ?? user_name ?? ([first_name, last_name].filter(Boolean).join(' ') || undefined),
  )
  return {
    line,
    rejected,
    primary_key: String(primary_key ?? ''),
    name: String(name.find((one) => one !== undefined) ?? ''),
    accounts: accounts.map((link) => ({ provider: String(link.provider), id: String(link.provider_user_id) })),
  }
}
