import { LineCounter, parseDocument } from 'yaml'
import { describeRoundedNumber, findRoundedNumber } from './find-rounded-number.ts'

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
  const line = findRoundedNumber(document, lineCounter)
  if (line !== undefined) throw new Error(describeRoundedNumber(line))
  return document.toJS()
}
