import { parseFormat } from './format.ts'
import type { Io } from './io.ts'
import { formatResponse } from './table.ts'

/** Prints a response in the selected format. @throws CliError `usage` for unknown columns */
export async function printResponse(
  response: unknown,
  options: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<void> {
  const format = parseFormat(options)
  if (format === 'json') return io.print(`${JSON.stringify(response, null, 2)}\n`)
  if (format === 'yaml') {
    const { stringify } = await import('yaml')
    return io.print(stringify(response))
  }
  const columns = typeof options.columns === 'string' ? options.columns.split(',').map((one) => one.trim()) : undefined
  const { text, hiddenColumns } = formatResponse(response, {
    width: io.columns,
    wide: format === 'wide',
    columns,
  })
  io.print(text)
  if (hiddenColumns.length > 0)
    io.printError(
      `Columns hidden because the terminal is too narrow: ${hiddenColumns.join(', ')}. -o wide shows every column.\n`,
    )
}
