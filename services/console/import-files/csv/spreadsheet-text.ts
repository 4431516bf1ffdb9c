/** What spreadsheets evaluate as a formula, as far as a value begins with it (OWASP, CSV Injection); full-width forms too. */
const formula = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/

/** What spreadsheets change when they read it as a number or a date. */
const changed = [
  // Zeros at the begin are lost, and digits after the 15th become zeros.
  /^0[\d.,]/,
  /^[\d.,]{16,}$/,
  // 12E5 becomes 1200000, and 1.10 becomes 1.1.
  /^[\d.,]+e[+-]?\d+$/i,
  /^\d+\.\d*0$/,
  // A number of a house such as 1-2-3 becomes a day; so does May 5. ISO 8601 stays the same day.
  /^\d{1,2}([-/.]\d{1,4}){1,2}$/,
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-\s]?\d{1,4}$/i,
]

/**
 * Puts `'` before a value that a spreadsheet would evaluate as a formula, because end users choose their names at login providers, and
 * before one that it would change.
 *
 * @param numbersAsText whether values that a spreadsheet would change get the mark, too
 */
export function markAsText(value: string, { numbersAsText }: { readonly numbersAsText: boolean }): string {
  const isMarked = formula.test(value) || (numbersAsText && isChanged(value)) || isMarkedText(value)
  return isMarked ? `'${value}` : value
}

/** Removes the mark, so that the value is as before. */
export function unmarkText(value: string): string {
  return isMarkedText(value) ? value.slice(1) : value
}

function isMarkedText(value: string): boolean {
  const text = value.replace(/^'+/, '')
  return text.length < value.length && (formula.test(text) || isChanged(text))
}

function isChanged(value: string): boolean {
  // Spreadsheets ignore spaces around numbers.
  const text = value.trim()
  return changed.some((pattern) => pattern.test(text))
}
