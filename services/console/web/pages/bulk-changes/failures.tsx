import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRead } from '../../admin/queries.ts'
import type { BulkChange, SiteReference } from '../../admin/types.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import { UserLink } from '../users/user-link.tsx'

/** The number of users that could not be changed, which opens their list. */
export function Failures({ site, change }: { site: SiteReference; change: BulkChange }) {
  const { bulk_changes: t } = useTexts('bulk_changes')
  const [opened, dialog] = useDisclosure()
  return (
    <>
      <Button size="compact-sm" variant="light" color="red" onClick={dialog.open}>
        {t.show_failed({ count: change.failed })}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t.failed_title} size="lg">
        <FailureTable site={site} change={change} />
      </Dialog>
    </>
  )
}

function FailureTable({ site, change: { change_id, failed } }: { site: SiteReference; change: BulkChange }) {
  const { bulk_changes: t, users } = useTexts('bulk_changes', 'users')
  const query = useRead('readBulkChange', { ...site, change_id })
  return (
    <Loaded of={query}>
      {({ failures }) => (
        <>
          {failures.length < failed && <Text size="sm">{t.first_failed({ count: failures.length })}</Text>}
          <DataTable
            label={t.failed_title}
            rows={failures}
            name={({ identifier }) => identifier}
            empty={null}
            columns={[
              {
                title: users.one,
                value: ({ identifier }) => identifier,
                cell: ({ identifier }) => <UserLink site={site} user={{ identifier }} name={null} />,
              },
              { title: t.reason, value: ({ reason }) => t.reasons[reason] },
            ]}
          />
        </>
      )}
    </Loaded>
  )
}
