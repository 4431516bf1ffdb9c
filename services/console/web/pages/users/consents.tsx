import { Badge } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import type { AdminOutput } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { UserReference } from './user-actions.tsx'

/** The latest answer of a user to each document of the site. */
export function UserConsents({ name }: { name: UserReference }) {
  const { users: t } = useTexts('users')
  const query = useRead('readUserConsents', name, { personal: true })
  return (
    <Section title={t.consents} about={t.consents_about}>
      <Loaded of={query}>{({ consents }) => <ConsentTable consents={consents} />}</Loaded>
    </Section>
  )
}

export function ConsentTable({ consents }: { consents: AdminOutput<'readUserConsents'>['consents'] }) {
  const { users: t } = useTexts('users')
  return (
    <DataTable
      label={t.consents}
      rows={consents}
      name={({ document }) => document}
      empty={t.no_consents}
      columns={[
        { title: t.document, value: ({ document }) => document },
        { title: t.version, number: true, value: ({ version }) => version },
        {
          title: t.answer,
          cell: ({ accepted }) => (
            <Badge variant="light" color={accepted ? 'teal' : 'gray'}>
              {accepted ? t.accepted : t.declined}
            </Badge>
          ),
          value: ({ accepted }) => (accepted ? t.accepted : t.declined),
        },
        { title: t.answered_at, time: ({ answered_at }) => answered_at },
      ]}
    />
  )
}
