import { stringify } from 'csv-stringify/sync'

export type Row = readonly (string | number | boolean | null)[]

/**
 * CSV by RFC 4180. What a spreadsheet would take for a formula (`=`, `+`, `-`, `@` and their like at the beginning) has a `'`
 * before it: names and the like are what people at login providers chose.
 */
export function toCsv(rows: readonly Row[]): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  })
}
