import { formatOf } from './format.ts'
import type { Io } from './io.ts'
import { readable } from './table.ts'

/** Prints an answer in the selected format. @throws Failure `usage` for unknown columns */
export async function printed(answer: unknown, options: Readonly<Record<string, unknown>>, io: Io): Promise<void> {
  const format = formatOf(options)
  if (format === 'json') return io.print(`${JSON.stringify(answer, null, 2)}\n`)
  if (format === 'yaml') {
    const { stringify } = await import('yaml')
    return io.print(stringify(answer))
  }
  const columns = typeof options.columns === 'string' ? options.columns.split(',').map((one) => one.trim()) : undefined
  const { text, leftOut } = readable(answer, { width: io.columns, wide: format === 'wide', columns })
  io.print(text)
  if (leftOut.length > 0)
    io.complain(
      `Columns hidden because the terminal is too narrow: ${leftOut.join(', ')}. -o wide shows every column.\n`,
    )
}
