import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { ImportFileError, type NumberedRecord } from '../record.ts'

/** Columns of accounts, as in our CSV exports. */
const accountColumn = /^(\w+)_id$/

/** Columns of a user. */
const userColumns = [
  'identifier',
  'primary_key',
  'mapped_at',
  'created_at',
  'last_logged_in_at',
  'last_logged_in_provider',
  'login_count',
  'profile_prohibited',
]

/** Reads CSV with a header line. Empty values are missing ones. */
export async function* readCsv(content: AsyncIterable<string>): AsyncGenerator<NumberedRecord> {
  const rows = Readable.from(content).pipe(parse({ bom: true, columns: checkColumns, info: true }))
  try {
    for await (const { record, info } of rows) yield { line: info.lines, record: toRecord(record) }
  } catch (cause) {
    if (cause instanceof ImportFileError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ImportFileError(`The file is not CSV with a header line: ${message}`, { cause })
  }
}

function checkColumns(columns: readonly string[]): string[] {
  const unknown = columns.filter((column) => !userColumns.includes(column) && !accountColumn.test(column))
  if (unknown.length > 0)
    throw new ImportFileError(
      `Unknown columns: ${unknown.join(', ')}. Remove them; known are ${userColumns.join(', ')}, and <provider>_id.`,
    )
  return [...columns]
}

function toRecord(row: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = Object.entries(row).filter(([, value]) => value !== '')
  const links = given.flatMap(([column, value]) => {
    const provider = accountColumn.exec(column)?.[1]
    return provider === undefined ? [] : [{ provider, provider_user_id: value }]
  })
  const fields = given
    .filter(([column]) => userColumns.includes(column))
    .map(([column, value]): [string, unknown] => [column, parseValue(column, value)])
  return { ...Object.fromEntries(fields), links }
}

function parseValue(column: string, value: string): unknown {
  if (column === 'login_count') return Number(value)
  if (column === 'profile_prohibited') return value === 'true'
  // Our exports put ' before values that a spreadsheet would evaluate.
  return value.replace(/^'(?=[=+\-@])/, '')
}
