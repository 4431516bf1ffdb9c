import { createReason } from '#admin-api'
import { auth0 } from './convert/auth0.ts'
import { cognito } from './convert/cognito.ts'
import { createForeignProviderNames, type ForeignFormat } from './convert/common.ts'
import { firebase } from './convert/firebase.ts'
import { keycloak } from './convert/keycloak.ts'
import { sap } from './convert/sap.ts'
import { isCognitoHeader, readCognitoRow } from './csv/cognito.ts'
import { isFirebaseRow, readFirebaseRow } from './csv/firebase.ts'
import { type CsvRow, detectDelimiter, readRows, splitFirstRow } from './csv/rows.ts'
import { readSpreadsheet } from './csv/spreadsheet.ts'
import { decodeFile, type ImportSource } from './decode.ts'
import {
  convertUsers,
  isNameOfRealm,
  isObject,
  parseFirstLine,
  readDocuments,
  readForeignUsers,
  readStart,
} from './foreign.ts'
import { type OpenedText, openText } from './head-of-text.ts'
import { readJsonItems } from './json-items.ts'
import { readJsonLines } from './json-lines.ts'
import { ImportFileError, type NumberedRecord, type ReadRecord } from './record.ts'
import { countRecords, createSummary, type ReadSummary } from './summary.ts'

const foreignFormats = { auth0, cognito, firebase, keycloak, sap } as const satisfies Record<string, ForeignFormat>

/** The formats of files, with their names for people. */
export const formatTitles = {
  ndjson: 'user records',
  csv: 'spreadsheet',
  auth0: auth0.title,
  cognito: cognito.title,
  firebase: firebase.title,
  keycloak: keycloak.title,
  sap: sap.title,
} as const
export type FileFormat = keyof typeof formatTitles

export interface ReadOptions {
  /** Recognized by default. */
  readonly format?: FileFormat | undefined
  /** Our provider by the name in the file. */
  readonly providers?: ReadonlyMap<string, string>
  /** What happens to users who are blocked in the other system. */
  readonly blocked?: 'reject' | 'import'
  readonly strict?: boolean | undefined
  readonly realm?: string | undefined
}

/** A file whose format is known. */
export interface ReadFile {
  readonly format: FileFormat
  readonly records: AsyncIterable<ReadRecord>
  /** Complete when the records are read. */
  readonly summary: ReadSummary
}

/**
 * Recognizes the format of a file by its content, and reads its records.
 *
 * @throws ImportFileError if the format is unknown, or not the one that was named
 */
export async function readImportFile(source: ImportSource, options: ReadOptions): Promise<ReadFile> {
  const summary = createSummary()
  const opened = await openText(decodeFile(source))
  if (opened.head.trim() === '') return { format: options.format ?? 'ndjson', records: none(), summary }
  const isJson = options.format === 'ndjson' || /^\s*[[{]/.test(opened.head)
  const recognized = isJson ? await recognizeJson(opened) : recognizeCsv(opened.head)
  const format = options.format ?? recognized
  if (recognized !== format && (recognized !== 'ndjson' || !isJson || format === 'csv'))
    throw new ImportFileError(
      createReason('file_of_other_format', { recognized: formatTitles[recognized], format: formatTitles[format] }),
    )
  const records = isJson
    ? readJson(format, opened, source, options)
    : readCsv(format, opened, options, () => summary.empty_rows++)
  return { format, records: countRecords(records, summary), summary }
}

async function recognizeJson({ head, isWhole }: OpenedText): Promise<FileFormat> {
  const start = await readStart(head)
  const values = [parseFirstLine(head, isWhole), ...start.map(({ value }) => value)].filter(isObject)
  const format = Object.entries(foreignFormats).find(([, { isUser }]) => values.some(isUser))?.[0]
  // The literal has the names that its type has. The users of a realm follow after much else.
  return (format as FileFormat | undefined) ?? (start.some(isNameOfRealm) ? 'keycloak' : 'ndjson')
}

function recognizeCsv(head: string): FileFormat {
  const row = splitFirstRow(head)
  if (isFirebaseRow(row)) return 'firebase'
  return isCognitoHeader(row) ? 'cognito' : 'csv'
}

function readJson(
  format: FileFormat,
  opened: OpenedText,
  source: ImportSource,
  { providers = new Map(), blocked, strict = false, realm }: ReadOptions,
): AsyncIterable<ReadRecord> {
  if (format === 'ndjson' || format === 'csv') return readUserRecords(opened)
  return readForeignUsers(foreignFormats[format], opened, () => decodeFile(source), {
    providers: createForeignProviderNames(providers),
    importBlocked: blocked === 'import',
    strict,
    realm,
  })
}

/** User records: one for each line, or a list of them, or one after another on several lines. */
async function* readUserRecords({ head, isWhole, text }: OpenedText): AsyncGenerator<NumberedRecord> {
  if (head.trimStart().startsWith('[')) {
    let line = 0
    for await (const { value } of readJsonItems(text, ['$.*'])) yield { line: ++line, record: value }
  } else {
    const isOnOneLine = parseFirstLine(head, isWhole) !== undefined
    const hasDocument = (await readStart(head)).some(({ path }) => path.length === 0)
    yield* !isOnOneLine && hasDocument ? readDocuments(text) : readJsonLines(text)
  }
}

function readCsv(
  format: FileFormat,
  { head, text }: OpenedText,
  { providers = new Map(), blocked, strict = false }: ReadOptions,
  onEmptyRow: () => void,
): AsyncIterable<ReadRecord> {
  const rows = readRows(text, detectDelimiter(head))
  if (format !== 'firebase' && format !== 'cognito') return readSpreadsheet(rows, providers, onEmptyRow)
  return convertUsers(foreignFormats[format], format === 'firebase' ? toFirebaseUsers(rows) : toCognitoUsers(rows), {
    providers: createForeignProviderNames(providers),
    importBlocked: blocked === 'import',
    strict,
    realm: undefined,
  })
}

async function* toFirebaseUsers(rows: AsyncIterable<CsvRow>): AsyncGenerator<NumberedRecord> {
  for await (const { line, values } of rows) yield { line, record: readFirebaseRow(values) }
}

async function* toCognitoUsers(rows: AsyncIterable<CsvRow>): AsyncGenerator<NumberedRecord> {
  let header: readonly string[] | undefined
  for await (const { line, values } of rows) {
    if (header !== undefined) yield { line, record: readCognitoRow(header, values) }
    header ??= values
  }
}

async function* none(): AsyncGenerator<ReadRecord> {}
