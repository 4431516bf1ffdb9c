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
  return papaparse.parse<string[]>(head, { delimiter: detectDelimiter(head), preview: 1 }).data[0] ?? []
}

/** Reads rows in parts that end with a row, so that a file is never in memory as a whole. */
export async function* readRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRow> {
  let rest = ''
  let line = 1
  for await (const part of text) {
    rest += part
    // A quote that nothing closes would keep all that follows.
    const end = findEndOfLastRow(rest) || (rest.length > mostCharactersOfRow ? rest.lastIndexOf('\n') + 1 : 0)
    yield* parseRows(rest.slice(0, end), delimiter, line)
    line += countLines(rest.slice(0, end))
    rest = rest.slice(end)
  }
  if (rest !== '') yield* parseRows(rest, delimiter, line)
}

function* parseRows(text: string, delimiter: string, firstLine: number): Generator<CsvRow> {
  let line = firstLine
  let start = 0
  const rows: CsvRow[] = []
  papaparse.parse<string[]>(text, {
    delimiter,
    step({ data, meta }) {
      rows.push({ line, values: data })
      line += countLines(text.slice(start, meta.cursor))
      start = meta.cursor
    },
  })
  // The parser takes what follows the last line as a row.
  if (rows.at(-1)?.values.join('') === '' && text.endsWith('\n')) rows.pop()
  yield* rows
}

/** Where the last row ends that is complete: at a line break outside quotes. A quote within quotes is doubled. */
function findEndOfLastRow(text: string): number {
  let isQuoted = false
  let end = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (text[at] === '\n' && !isQuoted) end = at + 1
  }
  return end
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}
