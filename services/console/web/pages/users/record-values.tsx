import { Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { Provider } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'
import { useNameEvent } from './use-name-event.ts'

/** A record of a service, such as the data of an event. */
export type DataRecord = Readonly<Record<string, unknown>>

/** The fields of a record on one line, e.g. "Provider: LINE, Logins: 3". Those without a value are left out. */
export function RecordText({ record }: { record: DataRecord }): ReactNode {
  const name = useFieldName()
  const show = useValue()
  return Object.entries(record)
    .filter(([, value]) => !isEmpty(value))
    .map(([field, value], at) => (
      <Fragment key={field}>
        {at > 0 && ', '}
        {name(field)}: {show(field, value)}
      </Fragment>
    ))
}

export function isDataRecord(value: unknown): value is DataRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isDataRecord(value)) return Object.values(value).every(isEmpty)
  return value === null || value === undefined || value === ''
}

/** The name of a field in the language of the console; fields of profiles and metadata have their own name. */
export function useFieldName(): (field: string) => string {
  const { held_data: t } = useTexts('held_data')
  const names: Readonly<Record<string, string>> = t.fields
  return (field) => (Object.hasOwn(names, field) ? (names[field] ?? field) : field)
}

/** Texts that are broken within a word, because they would widen the table. */
export const wrapping = { overflowWrap: 'anywhere' } as const

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Shows a value; names of providers, events, actions and causes in the language of the console. */
export function useValue(): (field: string, value: unknown) => ReactNode {
  const { held_data: t, audit, logins, common } = useTexts('held_data', 'audit', 'logins')
  const nameProvider = useNameProvider()
  const nameEvent = useNameEvent()
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    action: audit.actions,
    actor: { 'end user': audit.end_user },
    actor_kind: audit.actor_kinds,
    browser: logins.browsers,
    cause: t.causes,
    created_by: t.creators,
    kind: logins.kinds,
    result: logins.results,
    reason: { succeeded: t.states.succeeded },
    outcome: t.states,
    state: t.states,
    status: t.states,
  }
  const showText = (field: string, value: string) => {
    if (providerFields.has(field)) return nameProvider(value as Provider)
    return field === 'type' ? nameEvent(value) : (texts[field]?.[value] ?? value)
  }
  return (field, value) => {
    if (isEmpty(value)) return null
    if (typeof value === 'boolean') return value ? common.yes : common.no
    if (typeof value === 'number') return value
    if (isTexts(value)) return value.map((one) => showText(field, one)).join(', ')
    if (recordFields.has(field))
      return [value]
        .flat()
        .filter(isDataRecord)
        .map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the records have no ID of their own, and never change
          <Fragment key={at}>
            {at > 0 && '; '}
            <RecordText record={one} />
          </Fragment>
        ))
    if (typeof value !== 'string')
      return (
        <Text span size="xs" ff="monospace" style={wrapping}>
          {JSON.stringify(value)}
        </Text>
      )
    return time.test(value) ? <DateTime at={value} /> : showText(field, value)
  }
}

/** Fields with a record or a list of them. */
const recordFields = new Set(['consents', 'data'])
const providerFields = new Set(['provider', 'providers', 'last_logged_in_provider', 'moved_providers'])

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
