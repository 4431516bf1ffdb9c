import papaparse from 'papaparse'

/** A row of a CSV file (RFC 4180). */
export interface CsvRow {
  /** Its first line in the file. */
  readonly line: number
  readonly values: readonly string[]
}

/** Characters that separate the values of a row: spreadsheets use the list separator of the system. */
const delimiters = [',', ';', '\t']

/** Our choice: a row of a user has some thousands. */
const mostCharactersOfRow = 1_000_000

/** The delimiter that occurs most in the first line, outside quotes. */
export function detectDelimiter(head: string): string {
  const [line = ''] = head.split(/\r?\n/)
  const unquoted = line.replaceAll(/"[^"]*"/g, '')
  const [most = ','] = delimiters.toSorted((a, b) => unquoted.split(b).length - unquoted.split(a).length)
  return most
}

export function splitFirstRow(head: string): readonly string[] {
  const format = { delimiter: detectDelimiter(head), newline: detectLineBreak(head) ?? '\n' }
  return papaparse.parse<string[]>(head, { ...format, preview: 1 }).data[0] ?? []
}

type LineBreak = '\r\n' | '\n' | '\r'

/**
 * The line break after the first row; undefined if the text does not go on after it. Others can be in values without quotes, so the
 * parser must not guess by the majority.
 */
function detectLineBreak(text: string): LineBreak | undefined {
  const [first] = /\r\n|\n|\r(?=[^\n])/.exec(text.replaceAll(/"[^"]*"/g, '')) ?? []
  return first === '\r\n' || first === '\r' || first === '\n' ? first : undefined
}

/** Reads rows in parts that end with a row, so that a file is never in memory as a whole. */
export async function* readRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRow> {
  let rest = ''
  let line = 1
  let newline: LineBreak | undefined
  for await (const part of text) {
    rest += part
    newline ??= detectLineBreak(rest)
    if (newline === undefined) continue
    // A quote that nothing closes would keep all that follows.
    const end =
      findEndOfLastRow(rest, newline) || (rest.length > mostCharactersOfRow ? rest.lastIndexOf(lastOf(newline)) + 1 : 0)
    yield* parseRows(rest.slice(0, end), { delimiter, newline }, line)
    line += countLines(rest.slice(0, end), newline)
    rest = rest.slice(end)
  }
  if (rest !== '') yield* parseRows(rest, { delimiter, newline: newline ?? '\n' }, line)
}

function* parseRows(
  text: string,
  format: { readonly delimiter: string; readonly newline: LineBreak },
  firstLine: number,
): Generator<CsvRow> {
  let line = firstLine
  let start = 0
  const rows: CsvRow[] = []
  papaparse.parse<string[]>(text, {
    ...format,
    step({ data, meta }) {
      rows.push({ line, values: data })
      line += countLines(text.slice(start, meta.cursor), format.newline)
      start = meta.cursor
    },
  })
  // The parser takes what follows the last line as a row.
  if (rows.at(-1)?.values.join('') === '' && text.endsWith(lastOf(format.newline))) rows.pop()
  yield* rows
}

/** Where the last row ends that is complete: at a line break outside quotes. A quote within quotes is doubled. */
function findEndOfLastRow(text: string, newline: LineBreak): number {
  const last = lastOf(newline)
  let isQuoted = false
  let end = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (text[at] === last && !isQuoted) end = at + 1
  }
  return end
}

function countLines(text: string, newline: LineBreak): number {
  return text.split(lastOf(newline)).length - 1
}

/** The character that ends a line. */
function lastOf(newline: LineBreak): '\n' | '\r' {
  return newline === '\r' ? '\r' : '\n'
}
