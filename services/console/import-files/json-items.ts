import { JSONParser } from '@streamparser/json'
import { ImportFileError, type NumberedRecord } from './record.ts'

/**
 * Reads the items of a list in a JSON document one after another: of the document itself, or of one of its fields. Also reads several
 * documents after each other, such as one for each page or line.
 */
export async function* readJsonItems(content: AsyncIterable<string>, field: string): AsyncGenerator<NumberedRecord> {
  const parser = new JSONParser({ paths: [`$.${field}.*`, '$.*'], keepStack: false, separator: '' })
  let line = 0
  let items: NumberedRecord[] = []
  parser.onValue = ({ value, key, stack }) => {
    // `$.*` also matches the fields of the document itself.
    if (stack.length === 1 && typeof key !== 'number') return
    items.push({ line: ++line, record: value })
  }
  for await (const chunk of content) {
    try {
      parser.write(chunk)
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      throw new ImportFileError(`The file is not JSON after user ${line}: ${message}`, { cause })
    }
    yield* items
    items = []
  }
}
