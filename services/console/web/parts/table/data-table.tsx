import { Checkbox, Group, Paper, Stack, Table, Text } from '@mantine/core'
import {
  columnVisibilityFeature,
  createSortedRowModel,
  type RowData,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useState } from 'react'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { Cell } from './cell.tsx'
import type { Column } from './column.ts'
import { createComparison, type SortedRow } from './comparison.ts'
import { HeaderCell } from './header-cell.tsx'
import { moveFocus } from './move-focus.ts'
import { PageNumbers } from './page-numbers.tsx'
import { saveAsCsv } from './save-as-csv.ts'
import { TableTools } from './table-tools.tsx'
import { type Sort, useTableChoices } from './use-table-choices.ts'

/** Rows that are drawn at once: a browser takes seconds for a thousand. */
const mostRows = 100

/** Tables with more columns have less space between them. */
const mostSpacious = 7

/** Minimum column width in pixels. On narrower screens the table scrolls; on phones each row is a card (`console.css`). */
const minColumnWidth = 100

/** The hidden columns of a table, by their IDs. */
export interface MemberColumns {
  readonly hidden: readonly string[]
  readonly hide: (hidden: readonly string[]) => void
}

/** How the service sorts a list. */
export interface ServiceOrder {
  readonly columns: readonly string[]
  readonly sort: Sort
  readonly setSort: (sort: Sort) => void
}

interface Props<T> {
  /** Label for screen readers. */
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly name: (row: T) => string
  /** Shown for an empty list: its purpose and the first action. */
  readonly empty: ReactNode
  /** Name of the list, for which this browser keeps the columns and the density that the member chose. */
  readonly keep?: string
  /** What can be done with the rows that the member selects; false: nothing. */
  readonly bulk?: ((rows: readonly T[]) => ReactNode) | false
  /** The rows are one page of a longer list, which the service sorts, if at all. */
  readonly isPage?: boolean
  /** The order of the service, by the IDs of columns. */
  readonly order?: ServiceOrder
  /** Columns that are stored with the member; otherwise this browser keeps them. */
  readonly memberColumns?: MemberColumns
}

const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

/** A table whose columns a member can choose and sort by, whose rows can be selected, and which becomes cards on a phone. */
export function DataTable<T extends RowData>(props: Props<T>) {
  const { label, rows, columns, name, empty, keep, bulk, isPage = false, order, memberColumns } = props
  const { common } = useTexts()
  const { language } = useLanguage()
  const choices = useTableChoices(keep)
  const hidden = memberColumns?.hidden ?? choices.hidden
  const compare = createComparison(language)
  const [chosenPage, turnTo] = useState(0)
  const byId = new Map(columns.map((column, at) => [column.id ?? column.title ?? `actions ${at}`, column]))
  const table = useTable({
    features,
    // The library does not change its data.
    data: rows as T[],
    getRowId: name,
    columns: [...byId].map(([id, column], at) => ({
      id,
      header: column.title ?? '',
      accessorFn: (row: T) => readValue(column, row) ?? undefined,
      cell: ({ row }: { row: { original: T } }) => <Cell column={column} row={row.original} />,
      enableSorting: hasValue(column) && !isPage,
      enableHiding: column.title !== null && at > 0,
      sortUndefined: 'last' as const,
      sortFn: (one: SortedRow, other: SortedRow, column: string) =>
        compare(one.getValue(column), other.getValue(column)),
    })),
    state: {
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
      sorting: choices.sort === undefined ? [] : [choices.sort],
    },
  })
  if (rows.length === 0) {
    return (
      <Paper withBorder p="xl">
        <Text c="dimmed" ta="center" component="div">
          {empty}
        </Text>
      </Paper>
    )
  }
  const visible = table.getVisibleLeafColumns()
  const sorted = table.getRowModel().rows
  const pageCount = Math.ceil(sorted.length / mostRows)
  // Rows can have been removed since the page was turned.
  const page = Math.min(chosenPage, pageCount - 1)
  const drawn = sorted.slice(page * mostRows, (page + 1) * mostRows)
  const selected = table.getSelectedRowModel().rows.map(({ original }) => original)
  const isNumber = (id: string) => byId.get(id)?.number === true

  const titleOf = (id: string) => byId.get(id)?.title ?? id
  const saveVisible = () => {
    const withValue = visible.filter(({ id }) => hasValue(byId.get(id)))
    const lines = sorted.map((row) => withValue.map(({ id }) => row.getValue(id)))
    saveAsCsv(`${label}.csv`, [withValue.map(({ id }) => titleOf(id)), ...lines])
  }
  const toggleColumn = (id: string) => {
    const changed = hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id]
    if (memberColumns === undefined) choices.keep({ dense: choices.dense, hidden: changed })
    else memberColumns.hide(changed)
  }

  return (
    <Stack gap={4}>
      {(keep !== undefined || selected.length > 0) && (
        <Group justify="space-between" mih={34}>
          <Group gap="xs">{selected.length > 0 && bulk && bulk(selected)}</Group>
          {keep !== undefined && (
            <TableTools
              columns={table
                .getAllLeafColumns()
                .filter((column) => column.getCanHide())
                .map((column) => ({
                  title: titleOf(column.id),
                  visible: column.getIsVisible(),
                  toggle: () => toggleColumn(column.id),
                }))}
              dense={choices.dense}
              setDense={(dense) => choices.keep({ hidden: choices.hidden, dense })}
              saveAsCsv={saveVisible}
            />
          )}
        </Group>
      )}
      <Paper withBorder className="rows">
        <Table.ScrollContainer minWidth={visible.length * minColumnWidth}>
          <Table
            verticalSpacing={choices.dense ? 4 : 'sm'}
            horizontalSpacing={visible.length > mostSpacious ? 'xs' : 'md'}
            highlightOnHover
            role="table"
            aria-label={label}
          >
            <Table.Thead role="rowgroup">
              <Table.Tr role="row">
                {bulk && (
                  <Table.Th role="columnheader" w={40}>
                    <Checkbox
                      aria-label={common.table.select_all}
                      checked={table.getIsAllRowsSelected()}
                      indeterminate={table.getIsSomeRowsSelected()}
                      onChange={table.getToggleAllRowsSelectedHandler()}
                    />
                  </Table.Th>
                )}
                {visible.map((column) => (
                  <HeaderCell
                    key={column.id}
                    id={column.id}
                    title={byId.get(column.id)?.title ?? null}
                    isNumber={isNumber(column.id)}
                    {...(column.getCanSort() && {
                      sort: choices.sort?.id === column.id ? choices.sort : undefined,
                      setSort: choices.setSort,
                    })}
                    {...(order?.columns.includes(column.id) && {
                      sort: order.sort.id === column.id ? order.sort : undefined,
                      setSort: (sort) => order.setSort(sort ?? { id: column.id, desc: true }),
                      isDescFirst: true,
                    })}
                  />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody role="rowgroup" onKeyDown={moveFocus}>
              {drawn.map((row) => (
                <Table.Tr key={row.id} role="row">
                  {bulk && (
                    <Table.Td role="cell">
                      <Checkbox
                        aria-label={common.table.select}
                        checked={row.getIsSelected()}
                        onChange={row.getToggleSelectedHandler()}
                      />
                    </Table.Td>
                  )}
                  {row.getVisibleCells().map((cell) => (
                    <Table.Td
                      key={cell.id}
                      role="cell"
                      ta={isNumber(cell.column.id) ? 'right' : undefined}
                      // On a phone, the column title is shown before the value.
                      data-title={byId.get(cell.column.id)?.title ?? undefined}
                    >
                      <table.FlexRender cell={cell} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
      <PageNumbers total={pageCount} page={page} turnTo={turnTo} />
    </Stack>
  )
}

function hasValue(column: Pick<Column<never>, 'value' | 'time'> | undefined): boolean {
  return column?.value !== undefined || column?.time !== undefined
}

function readValue<T>({ value, time }: Column<T>, row: T): string | number | null | undefined {
  return time === undefined ? value?.(row) : time(row)
}
