import { LineCounter, parseDocument, visit } from 'yaml'
import { isExactNumber } from '#contracts'

/**
 * Parses YAML, of which JSON is a part.
 *
 * @throws Error with the line if the text is not YAML, or a decimal number in it would be rounded
 */
export function parseLosslessYaml(text: string): unknown {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter })
  const [problem] = document.errors
  if (problem !== undefined) throw problem
  visit(document, {
    Scalar(_, { value, source = '', range }) {
      if (typeof value !== 'number' || !/^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(source)) return
      if (isExactNumber(source.replace('+', ''))) return
      const { line } = lineCounter.linePos(range?.[0] ?? 0)
      throw new Error(`The number at line ${line} has more digits than can be stored exactly. Write it in quotes.`)
    },
  })
  return document.toJS()
}
