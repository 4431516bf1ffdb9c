import type { NumberedRecord } from './record.ts'

/** Reads a file of JSON lines. Empty lines are skipped. */
export async function* readJsonLines(content: AsyncIterable<string>): AsyncGenerator<NumberedRecord> {
  let line = 0
  for await (const text of splitLines(content)) {
    const parsed = parseRecordLine(++line, text)
    if (parsed !== undefined) yield parsed
  }
}

/** The lines of a text, which end with LF or CRLF. */
async function* splitLines(content: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of content) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

/** Parses a line of a file; undefined for an empty line. */
function parseRecordLine(line: number, text: string): NumberedRecord | undefined {
  const content = line === 1 ? text.replace(/^\ufeff/, '') : text
  if (content.trim() === '') return undefined
  try {
    const record: unknown = JSON.parse(content)
    return { line, record: typeof record === 'string' ? '' : record }
  } catch {
    return { line, record: '' }
  }
}
