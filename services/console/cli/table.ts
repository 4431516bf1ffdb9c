import stringWidth from 'string-width'
import { CliError } from './cli-error.ts'

type Row = Readonly<Record<string, unknown>>

interface TableOptions {
  /** Width of the terminal in characters. */
  readonly width: number
  /** Print every column, even if the table becomes wider than the terminal. */
  readonly wide: boolean
  /** Only these columns of lists. */
  readonly columns: readonly string[] | undefined
}

interface FormattedResponse {
  readonly text: string
  /** Columns that did not fit the terminal. */
  readonly hiddenColumns: readonly string[]
}

/** The default columns of each list, the most important first. Other lists show all columns. */
const defaultColumns: Readonly<Record<string, readonly string[]>> = {
  accounts: ['account', 'name', 'created_at'],
  sites: ['site_id', 'name', 'kind', 'requests_per_window', 'domains', 'created_at'],
  keys: ['api_key_id', 'name', 'last_four', 'brought_along', 'calls_last_hour', 'last_used_at', 'revoked_at'],
  clients: ['client_id', 'name', 'kind', 'pkce', 'redirect_uris'],
  providers: ['provider', 'enabled', 'client_id', 'circuit', 'calls', 'failed', 'missing', 'client_secret_expires_at'],
  users: ['identifier', 'name', 'email', 'primary_key', 'login_count', 'last_logged_in_at', 'created_at'],
  exports: ['export_id', 'state', 'written', 'requested_at', 'expires_at'],
  members: ['member_id', 'name', 'roles', 'passkeys', 'last_signed_in_at'],
  operators: ['member_id', 'name', 'passkeys', 'last_signed_in_at'],
  invitations: ['invitation_id', 'name', 'role', 'expires_at'],
  tokens: ['token_id', 'name', 'role', 'expires_at', 'last_used_at'],
  entries: ['at', 'action', 'actor', 'site_id', 'outcome', 'entry'],
  logins: ['at', 'result', 'reason', 'provider', 'identifier', 'client_id', 'browser', 'country', 'error', 'login_id'],
  groups: ['count', 'result', 'reason', 'provider', 'client_id', 'last_at', 'newest_login_id'],
  rejections: ['at', 'reason', 'error', 'request_id', 'redirect_uri'],
}

/**
 * A response as text: fields below each other, lists of objects as tables. The last columns are left out if they do not fit the
 * terminal; if not even the first one fits, the rows are printed as fields.
 *
 * @throws CliError `usage` for columns that no list has
 */
export function formatResponse(answer: unknown, shape: TableOptions): FormattedResponse {
  const hiddenColumns: string[] = []
  const known = new Set<string>()
  const text = formatValue(answer, shape, { hiddenColumns, known })
  const unknown = shape.columns?.find((column) => !known.has(column))
  if (unknown !== undefined && known.size > 0)
    throw new CliError('usage', `--columns: unknown column "${unknown}". Available columns: ${[...known].join(', ')}.`)
  return { text, hiddenColumns }
}

interface Notes {
  readonly hiddenColumns: string[]
  /** Columns of the lists. */
  readonly known: Set<string>
}

function formatValue(answer: unknown, shape: TableOptions, notes: Notes): string {
  if (!isRow(answer)) return `${formatCell(answer)}\n`
  const parts = Object.entries(answer)
  if (parts.length === 0) return 'Done.\n'
  const short = parts.filter(([, value]) => !isBranch(value))
  const long = parts.filter(([, value]) => isBranch(value))
  const isOnly = parts.length === 1
  const blocks = long.flatMap(([name, value]) => {
    const text = isRow(value) ? formatValue(value, shape, notes) : formatTable(name, value, shape, notes)
    if (text === '') return []
    return isOnly ? text : `${name}\n${text.replace(/^(?=.)/gm, '  ')}`
  })
  return [...(short.length > 0 ? [formatFields(Object.fromEntries(short))] : []), ...blocks].join('\n')
}

/** Whether a value is too complex for a cell. */
function isBranch(value: unknown): boolean {
  return isRow(value) ? Object.keys(value).length > 0 : Array.isArray(value) && value.some(isRow)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const gap = 2

/** A list as a table; empty text if it has none of the selected columns. */
function formatTable(
  list: string,
  value: unknown,
  { width, wide, columns }: TableOptions,
  { hiddenColumns, known }: Notes,
): string {
  const rows = Array.isArray(value) ? value.filter(isRow) : []
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  for (const name of all) known.add(name)
  const defaults = defaultColumns[list]?.filter((name) => all.includes(name)) ?? all
  const selected = columns?.filter((name) => all.includes(name)) ?? (wide ? all : defaults)
  if (selected.length === 0) return ''
  const lines = [selected, ...rows.map((row) => selected.map((name) => formatCell(row[name])))]
  const widths = selected.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column] ?? ''))))
  const fitting = wide || columns !== undefined ? selected.length : countFittingColumns(width, widths)
  if (fitting === 0) return rows.map(formatFields).join('\n')
  hiddenColumns.push(...selected.slice(fitting))
  const text = lines.map((line) =>
    line
      .slice(0, fitting)
      .map((content, column) => pad(content, widths[column] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
  return `${text.join('\n')}\n`
}

/** Counts the columns that fit the width. */
function countFittingColumns(width: number, widths: readonly number[]): number {
  let used = -gap
  for (const [column, one] of widths.entries()) {
    used += one + gap
    if (used > width) return column
  }
  return widths.length
}

function formatFields(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => stringWidth(name)))
  const lines = Object.entries(row).map(([name, value]) => `${pad(name, width)}  ${formatCell(value)}`.trimEnd())
  return `${lines.join('\n')}\n`
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)))
}

/**
 * A value on one line: lists with commas, objects as `name=value`. Control characters, which could manipulate the terminal, are
 * shown as `\uFFFD`.
 */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(formatCell).join(value.some(isRow) ? '; ' : ', ')
  if (isRow(value)) {
    const entries = Object.entries(value)
    return entries.length === 0
      ? '–'
      : entries.map(([name, inner]) => `${formatCell(name)}=${formatCell(inner)}`).join(' ')
  }
  return String(value).replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
