import { Text } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { UserReference } from './user-actions.tsx'

const shownEvents = 20

/** The latest events of a user. */
export function UserActivity({ name }: { name: UserReference }) {
  const { users: t } = useTexts('users')
  const query = useRead('listUserEvents', { ...name, limit: shownEvents }, { personal: true })
  return (
    <Section title={t.activity} about={t.activity_about}>
      <Loaded of={query}>
        {({ events }) => (
          <DataTable
            label={t.activity}
            rows={events}
            name={({ type, time }) => `${type} ${time}`}
            empty={t.no_activity}
            columns={[
              { title: t.at, time: ({ time }) => time },
              {
                title: t.event,
                cell: ({ type }) => (
                  <Text span ff="monospace" size="sm">
                    {type}
                  </Text>
                ),
                value: ({ type }) => type,
              },
              {
                title: t.details,
                cell: ({ data }) => (
                  <Text span ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
                    {formatData(data)}
                  </Text>
                ),
                value: ({ data }) => formatData(data),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** The data of an event as short text. */
function formatData(data: Readonly<Record<string, unknown>> | null): string {
  return Object.entries(data ?? {})
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
