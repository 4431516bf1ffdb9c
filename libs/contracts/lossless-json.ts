/** JSON that cannot be stored as it is written. The message, for the caller, says why. */
export class UnstorableJson extends Error {
  override readonly name = 'UnstorableJson'
}

/**
 * Parses JSON without loss.
 *
 * @throws SyntaxError if the text is not JSON
 * @throws UnstorableJson if a number or a name would not be stored as it is written
 */
export function parseLosslessJson(text: string): unknown {
  return JSON.parse(text, requireLossless)
}

/** A reviver of `JSON.parse` with the source text (ECMAScript, JSON.parse source text access). */
function requireLossless(name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (name === '__proto__') throw new UnstorableJson('JSON must have no member named __proto__.')
  if (typeof value === 'number' && context?.source !== undefined && !isExactNumber(context.source))
    throw new UnstorableJson('A number has more digits than can be stored exactly. Send it as a string.')
  return value
}

/** Whether a JavaScript number has the value of a number in JSON. */
export function isExactNumber(source: string): boolean {
  const [a, b] = [toDecimal(source), toDecimal(String(Number(source)))]
  return a.digits === b.digits && (a.digits === '' || a.exponent === b.exponent)
}

/** The significant digits of a number in JSON or JavaScript, and the power of ten of the last one. */
function toDecimal(source: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = source.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return { digits: significant, exponent: Number(power) - fraction.length + digits.length - significant.length }
}
