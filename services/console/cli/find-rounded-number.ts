import { type Document, type LineCounter, visit } from 'yaml'
import { isExactNumber } from '#contracts'

/** Finds the line of the first decimal number that would be rounded; undefined if there is none. */
export function findRoundedNumber(document: Document, lineCounter: LineCounter): number | undefined {
  let line: number | undefined
  visit(document, {
    Scalar(_, { value, source = '', range }) {
      if (typeof value !== 'number' || !/^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(source)) return
      if (isExactNumber(source.replace('+', ''))) return
      line = lineCounter.linePos(range?.[0] ?? 0).line
      return visit.BREAK
    },
  })
  return line
}

/** Describes what is wrong with the number and what to do. */
export function describeRoundedNumber(line: number): string {
  return `The number at line ${line} has more digits than can be stored exactly. Write it in quotes.`
}
