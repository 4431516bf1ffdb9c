import type { Readable } from 'node:stream'
import { JSONParser } from '@streamparser/json-node'
import type { NumberedRecord } from '../../domain/import-batches.ts'
import { CliError } from '../cli-error.ts'

/**
 * Reads the items of a list in a JSON document one after another: of the document itself, or of one of its fields. Also reads several
 * documents after each other, such as one for each page or line.
 */
export async function* readJsonItems(content: Readable, field: string): AsyncGenerator<NumberedRecord> {
  const parser = new JSONParser({ paths: [`$.${field}.*`, '$.*'], keepStack: false, separator: '' })
  let line = 0
  try {
    for await (const { value, key, stack } of content.pipe(parser)) {
      // `$.*` also matches the fields of the document itself.
      if (stack.length === 1 && typeof key !== 'number') continue
      yield { line: ++line, record: value }
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new CliError('usage', `The file is not JSON after user ${line}: ${message}`, { cause })
  }
}
