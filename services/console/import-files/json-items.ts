import { Tokenizer, TokenParser } from '@streamparser/json'
import { createReason } from '#admin-api'
import { readExactNumber } from '#contracts'
import { ImportFileError } from './record.ts'

/** A value in a JSON document and the names and positions that lead to it. */
export interface JsonItem {
  readonly path: readonly (string | number)[]
  readonly value: unknown
}

/**
 * Reads values of JSON documents one after another, without keeping the documents. Also reads several documents after each other,
 * such as one for each page.
 *
 * @param paths of the values, such as `$.users.*`
 * @throws ImportFileError if the text is not JSON
 */
export async function* readJsonItems(text: AsyncIterable<string>, paths: readonly string[]): AsyncGenerator<JsonItem> {
  const tokenizer = new ExactTokenizer({ separator: '' })
  const parser = new TokenParser({ paths: [...paths], keepStack: false, separator: '' })
  tokenizer.onToken = parser.write.bind(parser)
  tokenizer.onEnd = () => parser.end()
  parser.onError = tokenizer.error.bind(tokenizer)
  const found: JsonItem[] = []
  let count = 0
  parser.onValue = ({ value, key, stack }) => {
    const path = [...stack.slice(1).map((one) => one.key), key]
    found.push({ path: path.filter((step) => step !== undefined), value })
    count++
  }
  try {
    for await (const part of text) {
      tokenizer.write(part)
      yield* found.splice(0)
    }
    tokenizer.end()
  } catch (cause) {
    if (cause instanceof ImportFileError) throw cause
    yield* found.splice(0)
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new ImportFileError(createReason('file_not_json', { count: String(count), problem }), { cause })
  }
}

/** Keeps the digits of numbers that would lose some. */
class ExactTokenizer extends Tokenizer {
  override parseNumber(source: string): number {
    // The token parser takes values as they are.
    return readExactNumber(source) as number
  }
}
