import { createReason } from '#admin-api'
import { parseExactJson } from '#contracts'
import { type NumberedRecord, rejectRecord } from './record.ts'

/** Reads JSON lines (https://jsonlines.org), which end with LF or CRLF. Empty lines are skipped. */
export async function* readJsonLines(text: AsyncIterable<string>): AsyncGenerator<NumberedRecord> {
  let line = 0
  for await (const content of splitLines(text)) {
    line++
    if (content.trim() !== '') yield { line, record: parseLine(content) }
  }
}

/** The lines of a text. Only LF ends a line: other separators of Unicode can be in a string of JSON. */
async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const part of text) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

function parseLine(content: string): unknown {
  try {
    return parseExactJson(content)
  } catch {
    return rejectRecord('', createReason('not_a_record'))
  }
}
