import { createReason } from '#admin-api'
import { builtInProviders, profileFields } from '#contracts'
import { ImportFileError, type NumberedRecord, type RecordProblem, rejectRecord } from '../record.ts'
import { nearest } from './nearest.ts'
import type { CsvRow } from './rows.ts'
import { unmarkText } from './spreadsheet-text.ts'

/** Columns of a user, as in our CSV exports. */
const userColumns = [
  'identifier',
  'primary_key',
  'mapped_at',
  'created_at',
  'last_logged_in_at',
  'last_logged_in_provider',
  'login_count',
  'profile_prohibited',
  'blocked',
] as const
const followColumns = ['followed_by', 'following'] as const
const profileColumns = [...Object.keys(profileFields), ...followColumns, 'email', 'phone']

/** The specification's words for true (Shared conventions), and what spreadsheets and people write for false. */
const flags = new Map([
  ...['true', 'yes', 'y', 'enabled'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'disabled'].map((word) => [word, false] as const),
])

/** Columns whose values lose digits in spreadsheets. */
const isId = (column: string) => column === 'identifier' || column === 'primary_key' || column.endsWith('_id')

/**
 * Converts the rows of a table with a header to user records. Empty values are missing ones, and empty rows are left out. Columns of
 * the combined profile become the data of the row's first account.
 *
 * @param providers our provider by the name in a column `<name>_id`
 * @throws ImportFileError if the header has unknown columns
 */
export async function* readSpreadsheet(
  rows: AsyncIterable<CsvRow>,
  providers: ReadonlyMap<string, string>,
  onEmptyRow: () => void,
): AsyncGenerator<NumberedRecord> {
  let columns: readonly string[] | undefined
  for await (const { line, values } of rows) {
    if (values.every((value) => value.trim() === '')) onEmptyRow()
    else if (columns === undefined) columns = readHeader(values, providers)
    else yield { line, record: toRecord(columns, values, providers) }
  }
}

function readHeader(header: readonly string[], providers: ReadonlyMap<string, string>): string[] {
  const last = header.findLastIndex((title) => title.trim() !== '')
  const columns = header.slice(0, last + 1).map((title) =>
    title
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  const accounts = [...builtInProviders, ...providers.keys()].map((name) => `${name.toLowerCase()}_id`)
  const known = [...userColumns, ...accounts, ...profileColumns]
  const unknown = columns.filter((column) => !known.includes(column))
  if (unknown.length > 0) {
    const hints = unknown.map((column) => `${column} (nearest: ${nearest(column, known)})`)
    const reason = createReason('file_unknown_columns', { columns: hints.join(', '), known: userColumns.join(', ') })
    throw new ImportFileError(reason)
  }
  return columns
}

function toRecord(columns: readonly string[], values: readonly string[], providers: ReadonlyMap<string, string>) {
  const extra = values.slice(columns.length).filter((value) => value !== '').length
  if (extra > 0) return rejectRecord('', createReason('too_many_values', { count: String(extra) }))
  const given = columns.flatMap((column, at): [string, string][] => {
    const value = values[at] ?? ''
    return value === '' ? [] : [[column, unmarkText(value)]]
  })
  const read = given.map(([column, value]) => ({ column, value, parsed: parseValue(column, value) }))
  const rejected = read.flatMap(({ parsed }) => (parsed.problem === undefined ? [] : [parsed.problem]))
  if (rejected.length > 0) return { rejected }

  const fields = read.filter(({ column }) => userColumns.some((name) => name === column))
  const profile = read.filter(({ column }) => profileColumns.includes(column))
  const links = read.flatMap(({ column, value }) => {
    if (profileColumns.includes(column) || !column.endsWith('_id')) return []
    const name = column.slice(0, -'_id'.length)
    return [{ provider: providers.get(name) ?? name, provider_user_id: value }]
  })
  const [first, ...others] = links
  const [column] = profile
  if (first === undefined && column !== undefined)
    return rejectRecord(column.column, createReason('profile_without_account'))
  const data =
    profile.length === 0 ? {} : { data: toData(new Map(profile.map((one) => [one.column, one.parsed.value]))) }
  const isBlocked = fields.some(({ column, parsed }) => column === 'blocked' && parsed.value === true)
  const stored = fields.filter(({ column }) => column !== 'blocked')
  return {
    ...Object.fromEntries(stored.map((field) => [field.column, field.parsed.value])),
    ...(isBlocked && { block: {} }),
    links: first === undefined ? [] : [{ ...first, ...data }, ...others],
  }
}

interface ParsedValue {
  readonly value?: unknown
  readonly problem?: RecordProblem
}

function parseValue(column: string, value: string): ParsedValue {
  const reject = (reason: RecordProblem['reason']) => ({ problem: { field: column, reason } })
  if (column === 'profile_prohibited' || column === 'blocked' || column === 'verified') {
    const flag = flags.get(value.toLowerCase())
    return flag === undefined ? reject(createReason('not_a_flag')) : { value: flag }
  }
  if (isNumeric(column))
    return /^\d{1,15}$/.test(value) ? { value: Number(value) } : reject(createReason('not_an_integer'))
  if (isId(column) && /^\d(\.\d+)?E\+\d+$/i.test(value)) return reject(createReason('shortened_by_spreadsheet'))
  return { value: isList(column) ? value.split(/\r?\n/) : value }
}

/** The type of a column, from the schema of its field. */
function isNumeric(column: string): boolean {
  return column === 'login_count' || followColumns.some((name) => name === column) || typeOf(column) === 'number'
}

function isList(column: string): boolean {
  return column === 'email' || column === 'phone' || typeOf(column) === 'array'
}

function typeOf(column: string): string | undefined {
  const field = Object.entries(profileFields).find(([name]) => name === column)?.[1]
  return field?.unwrap().type
}

function toData(values: ReadonlyMap<string, unknown>) {
  const textsOf = (column: string) => [values.get(column) ?? []].flat()
  const follow = followColumns.some((column) => values.has(column))
    ? Object.fromEntries(followColumns.map((column) => [column, values.get(column) ?? null]))
    : null
  return {
    profile: Object.fromEntries([...values].filter(([column]) => Object.hasOwn(profileFields, column))),
    follow,
    // A combined profile in CSV does not say which are verified.
    email: textsOf('email').map((email) => ({ email, verified: false })),
    phone: textsOf('phone').map((number) => ({ number, verified: false, type: 'phone' as const })),
  }
}
