import type { ReactNode } from 'react'
import { useFormat } from '../../texts/format.ts'
import { DateTime } from '../date-time.tsx'
import type { Column } from './column.ts'

/** What a cell shows: the column's own cell, a time or a value. */
export function Cell<T>({
  column: { cell, value, time, relative = false },
  row,
}: {
  column: Column<T>
  row: T
}): ReactNode {
  const format = useFormat()
  if (cell !== undefined) return cell(row)
  if (time !== undefined) return <DateTime at={time(row)} relative={relative} />
  const shown = value?.(row)
  return typeof shown === 'number' ? format.number(shown) : shown
}
