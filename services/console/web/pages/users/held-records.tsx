import { Table } from '@mantine/core'
import type { HeldData } from '../../admin/types.ts'
import { FactTable } from '../../parts/fact-table.tsx'
import { isDataRecord, isEmpty, useFieldName, useValue, wrapping } from './record-values.tsx'

type HeldRecord = HeldData['sections'][number]['records'][number]

/** A record as names and values; those of nested objects have the names of both. */
export function HeldFacts({ record, label }: { record: HeldRecord; label: string }) {
  const name = useFieldName()
  const show = useValue()
  const facts = flatten(record).map(
    ([path, value]) => [path.map(name).join(' › '), show(path.at(-1) ?? '', value)] as const,
  )
  return <FactTable facts={facts} label={label} />
}

/** Records as rows. Fields that no record has are left out. */
export function HeldTable({ records, label }: { records: readonly HeldRecord[]; label: string }) {
  const name = useFieldName()
  const show = useValue()
  const fields = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((field) =>
    records.some((record) => !isEmpty(record[field])),
  )
  return (
    <div className="rows">
      {/* With the keyboard, wide tables scroll when they have the focus. */}
      <Table.ScrollContainer minWidth={480} tabIndex={0} role="group" aria-label={label}>
        <Table withTableBorder verticalSpacing={4} role="table" aria-label={label}>
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {fields.map((field) => (
                <Table.Th key={field} role="columnheader">
                  {name(field)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {records.map((record, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the records are read once, and have no ID of their own
              <Table.Tr key={index} role="row">
                {fields.map((field) => (
                  <Table.Td
                    key={field}
                    role="cell"
                    data-title={name(field)}
                    style={isLong(record[field]) ? wrapping : undefined}
                  >
                    {show(field, record[field])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  )
}

const isLong = (value: unknown) => (typeof value === 'string' ? value.length > 24 : typeof value === 'object')

/** The values of a record by their path. Lists are values. */
function flatten(record: HeldRecord, before: readonly string[] = []): [path: readonly string[], value: unknown][] {
  return Object.entries(record).flatMap(([field, value]): [readonly string[], unknown][] => {
    const path = [...before, field]
    return isDataRecord(value) ? flatten(value, path) : [[path, value]]
  })
}
