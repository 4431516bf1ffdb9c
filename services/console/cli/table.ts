import stringWidth from 'string-width'

type Row = Readonly<Record<string, unknown>>

/**
 * An answer for people: fields below each other, lists of objects as tables. A table wider than the screen has its rows below
 * each other.
 *
 * @param columns width of the screen
 */
export function readable(answer: unknown, columns: number): string {
  if (!isRow(answer)) return `${cell(answer)}\n`
  const parts = Object.entries(answer)
  if (parts.length === 0) return 'Done.\n'
  const short = parts.filter(([, value]) => !isBranch(value))
  const long = parts.filter(([, value]) => isBranch(value))
  const alone = parts.length === 1
  const blocks = long.map(([name, value]) => {
    const text = isRow(value) ? readable(value, columns) : listed(value, columns)
    return alone ? text : `${name}\n${text.replace(/^(?=.)/gm, '  ')}`
  })
  return [...(short.length > 0 ? [fields(Object.fromEntries(short))] : []), ...blocks].join('\n')
}

/** What a cell cannot show. */
function isBranch(value: unknown): boolean {
  return isRow(value) ? Object.keys(value).length > 0 : Array.isArray(value) && value.some(isRow)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listed(list: unknown, columns: number): string {
  const rows = Array.isArray(list) ? list.filter(isRow) : []
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column] ?? ''))))
  if (widths.reduce((sum, width) => sum + width + 2, 0) > columns) return rows.map(fields).join('\n')
  const text = lines.map((line) =>
    line
      .map((value, column) => padded(value, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${text.join('\n')}\n`
}

function fields(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => stringWidth(name)))
  const lines = Object.entries(row).map(([name, value]) => `${padded(name, width)}  ${cell(value)}`.trimEnd())
  return `${lines.join('\n')}\n`
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)))
}

/** One line. Control characters, with which a user's name could play tricks on the terminal, are shown as `\uFFFD`. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && !value.some((item) => typeof item === 'object')) return value.map(cell).join(', ')
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
