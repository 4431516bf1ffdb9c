import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { HeldData, Provider } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { FactTable } from '../../parts/fact-table.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'

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

/** Texts that are broken within a word, because they would widen the table. */
const wrapping = { overflowWrap: 'anywhere' } as const
const isLong = (value: unknown) => (typeof value === 'string' ? value.length > 30 : typeof value === 'object')

/** The values of a record by their path. Lists are values. */
function flatten(record: HeldRecord, before: readonly string[] = []): [path: readonly string[], value: unknown][] {
  return Object.entries(record).flatMap(([field, value]): [readonly string[], unknown][] => {
    const path = [...before, field]
    return isObject(value) ? flatten(value, path) : [[path, value]]
  })
}

function isObject(value: unknown): value is HeldRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isObject(value)) return Object.values(value).every(isEmpty)
  return value === null || value === undefined || value === ''
}

/** The name of a field in the language of the console; fields of profiles and metadata have their own name. */
function useFieldName(): (field: string) => string {
  const { held_data: t } = useTexts('held_data')
  const names: Readonly<Record<string, string>> = t.fields
  return (field) => (Object.hasOwn(names, field) ? (names[field] ?? field) : field)
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Shows a value; names of providers, actions and causes in the language of the console. */
function useValue(): (field: string, value: unknown) => ReactNode {
  const { held_data: t, audit, logins, common } = useTexts('held_data', 'audit', 'logins')
  const nameProvider = useNameProvider()
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    action: audit.actions,
    actor: { 'end user': audit.end_user },
    actor_kind: audit.actor_kinds,
    browser: logins.browsers,
    cause: t.causes,
    kind: logins.kinds,
    result: logins.results,
    reason: { succeeded: t.states.succeeded },
    outcome: t.states,
    state: t.states,
    status: t.states,
  }
  return (field, value) => {
    if (isEmpty(value)) return null
    if (typeof value === 'boolean') return value ? common.yes : common.no
    if (typeof value === 'number') return value
    if (typeof value !== 'string')
      return (
        <Text span size="xs" ff="monospace">
          {JSON.stringify(value)}
        </Text>
      )
    if (time.test(value)) return <DateTime at={value} />
    if (field === 'provider' || field === 'last_logged_in_provider') return nameProvider(value as Provider)
    return texts[field]?.[value] ?? value
  }
}
