import { Paper, Table, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'

/** Minimum column width in pixels. On narrower screens the table scrolls; on phones each row is a card (`console.css`). */
const minColumnWidth = 120

interface Column<T> {
  /** Null: the column of actions. */
  readonly title: ReactNode
  readonly cell: (row: T) => ReactNode
  /** Right-aligned. */
  readonly number?: boolean
}

interface Props<T> {
  /** Label for screen readers. */
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly name: (row: T) => string
  /** Shown for an empty list: its purpose and the first action. */
  readonly empty: ReactNode
}

export function DataTable<T>({ label, rows, columns, name, empty }: Props<T>) {
  const { common } = useTexts()
  if (rows.length === 0) {
    return (
      <Paper withBorder p="xl">
        <Text c="dimmed" ta="center" component="div">
          {empty}
        </Text>
      </Paper>
    )
  }
  return (
    <Paper withBorder className="rows">
      <Table.ScrollContainer minWidth={columns.length * minColumnWidth}>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover role="table" aria-label={label}>
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map(({ title, number }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                <Table.Th key={at} role="columnheader" ta={number ? 'right' : undefined} pos="relative">
                  {title ?? <VisuallyHidden>{common.actions}</VisuallyHidden>}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows.map((row) => (
              <Table.Tr key={name(row)} role="row">
                {columns.map((column, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                  <Cell key={at} of={column} row={row} />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

/** On a phone, the column title is shown before the value. */
function Cell<T>({ of: { title, cell, number }, row }: { of: Column<T>; row: T }) {
  return (
    <Table.Td role="cell" ta={number ? 'right' : undefined} data-title={typeof title === 'string' ? title : undefined}>
      {cell(row)}
    </Table.Td>
  )
}
