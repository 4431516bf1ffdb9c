/**
 * Parses JSON of another system. A whole number that a JavaScript number cannot represent becomes a string with its digits,
 * because numbers of that size are IDs: those of Facebook and X have up to 20 digits.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  // Without such numbers, the parser needs no function for each value.
  return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

/** The value of a number in JSON, or its digits as a string. @param source as in the text */
export function readExactNumber(source: string): number | string {
  const value = Number(source)
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value
}

/** A reviver of `JSON.parse` with the source text (ECMAScript, JSON.parse source text access). */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)) return value
  if (context?.source === undefined) throw new SyntaxError(`The number ${value} has lost digits in this browser.`)
  return readExactNumber(context.source)
}
