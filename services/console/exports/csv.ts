import { stringify } from 'csv-stringify/sync'

export type Row = readonly (string | number | boolean | null)[]

/**
 * Formats rows as CSV (RFC 4180). A `'` precedes values that a spreadsheet would evaluate as a formula (starting with `=`, `+`, `-`, `@`
 * and similar characters), because end users choose their names at login providers.
 */
export function toCsv(rows: readonly Row[]): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  })
}
