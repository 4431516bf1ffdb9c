import { markAsText } from '../../../import-files/csv/spreadsheet-text.ts'

/** Downloads rows as CSV (RFC 4180), with a byte order mark for spreadsheets. */
export function saveAsCsv(fileName: string, rows: readonly (readonly unknown[])[]): void {
  const text = rows.map((cells) => cells.map((cell) => quoteCell(toText(cell))).join(',')).join('\r\n')
  const address = URL.createObjectURL(new Blob(['\ufeff', text, '\r\n'], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function quoteCell(cell: string): string {
  return `"${markAsText(cell, { numbersAsText: true }).replaceAll('"', '""')}"`
}
