import { stringify } from 'csv-stringify/sync'
import { markAsText } from '../import-files/csv/spreadsheet-text.ts'

export type CellValue = string | number | boolean | null
export type Row = readonly CellValue[]

/** Formats rows as CSV (RFC 4180), with marks before texts that a spreadsheet would evaluate or, if wanted, change. */
export function toCsv(rows: readonly Row[], options: { readonly numbersAsText: boolean }): string {
  const marked = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? markAsText(cell, options) : cell)))
  return stringify(marked, {
    record_delimiter: 'windows',
    // A line break of any system ends a row outside quotes.
    quote_record_delimiter: true,
    // Readers skip empty lines.
    quoted_empty: marked[0]?.length === 1,
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  })
}
