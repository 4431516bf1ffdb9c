import type { ReactNode } from 'react'

/** A column; its cells show `cell`, else `time` or `value`. */
export interface Column<T> {
  /** Its name in what is stored about the table; the title, if absent. */
  readonly id?: string
  /** Null: the column of actions. */
  readonly title: string | null
  readonly cell?: (row: T) => ReactNode
  /** To sort by it and for CSV; null is sorted last. */
  readonly value?: (row: T) => string | number | null
  /** As `value`, in ISO 8601. */
  readonly time?: (row: T) => string | null
  /** Shows the time as the distance from now. */
  readonly relative?: boolean
  /** Right-aligned. */
  readonly number?: boolean
}
