import { Badge, Group } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { UserReference } from './user-actions.tsx'

/** The applications that received data of a user. */
export function UserApplications({ name }: { name: UserReference }) {
  const { users: t } = useTexts('users')
  const query = useRead('listUserApplications', name, { personal: true })
  const nameApplication = (application: { client_id: string | null; name: string | null }) =>
    application.client_id === null ? t.site_servers : (application.name ?? application.client_id)
  return (
    <Section title={t.applications} about={t.applications_about}>
      <Loaded of={query}>
        {({ applications }) => (
          <DataTable
            label={t.applications}
            rows={applications}
            name={nameApplication}
            empty={t.no_applications}
            columns={[
              { title: t.application, value: nameApplication },
              {
                title: t.received,
                cell: ({ received }) => (
                  <Group gap={4}>
                    {received.map((data) => (
                      <Badge key={data} variant="light" color="gray" tt="none">
                        {data}
                      </Badge>
                    ))}
                  </Group>
                ),
                value: ({ received }) => received.join(', '),
              },
              { title: t.first_at, time: ({ first_at }) => first_at },
              { title: t.last_at, time: ({ last_at }) => last_at },
              { title: t.access_removed_at, time: ({ access_removed_at }) => access_removed_at },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
