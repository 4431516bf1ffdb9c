import { Text } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import { RecordText, wrapping } from './record-values.tsx'
import { useNameEvent } from './use-name-event.ts'
import type { UserReference } from './user-actions.tsx'

const shownEvents = 20

/** The latest events of a user. */
export function UserActivity({ name }: { name: UserReference }) {
  const { users: t } = useTexts('users')
  const nameEvent = useNameEvent()
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
                // Webhooks and the Admin API have the type by this name.
                cell: ({ type }) => (
                  <Text span inherit title={type}>
                    {nameEvent(type)}
                  </Text>
                ),
                value: ({ type }) => nameEvent(type),
              },
              {
                title: t.details,
                cell: ({ data }) =>
                  data !== null && (
                    <Text span size="sm" style={wrapping}>
                      <RecordText record={data} />
                    </Text>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
