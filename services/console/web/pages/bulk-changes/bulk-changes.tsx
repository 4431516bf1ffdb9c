import { Alert, Badge, Progress, Stack, Text } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, BulkChange, SiteReference } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Failures } from './failures.tsx'
import { RequestBulkChange } from './request-bulk-change.tsx'
import { useDescribeUsers } from './use-describe-users.ts'

const refreshMs = 2_000
const getRefreshInterval = (read: AdminOutput<'listBulkChanges'> | undefined) =>
  read?.changes.some(({ ended_at }) => ended_at === null) === true && refreshMs

/** Bulk changes of the site's users, with their progress. */
export function BulkChangesPage({ site }: { site: SiteReference }) {
  const { bulk_changes: t } = useTexts('bulk_changes')
  const hasRole = useHasRole(site)
  const describeUsers = useDescribeUsers()
  const nameProvider = useNameProvider()
  const query = useRead('listBulkChanges', site, { intervalMs: getRefreshInterval })
  return (
    <Page title={t.title} about={t.about} actions={hasRole('owner') && <RequestBulkChange site={site} />}>
      {!hasRole('owner') && <Alert color="gray">{t.owners}</Alert>}
      <Loaded of={query}>
        {({ changes }) => (
          <DataTable
            label={t.title}
            keep="bulk_changes"
            rows={changes}
            name={({ change_id }) => change_id}
            empty={<EmptyList action={hasRole('owner') && t.request}>{t.empty}</EmptyList>}
            columns={[
              {
                title: t.action,
                value: ({ action, unlinked_provider }) =>
                  unlinked_provider === null
                    ? t.actions[action]
                    : `${t.actions[action]}: ${nameProvider(unlinked_provider)}`,
              },
              { title: t.users, value: describeUsers },
              { title: t.state, value: ({ state }) => t.states[state], cell: (one) => <ChangeState of={one} /> },
              { title: t.changed, number: true, value: ({ changed }) => changed },
              { title: t.unchanged, number: true, value: ({ unchanged }) => unchanged },
              {
                title: t.failed,
                number: true,
                value: ({ failed }) => failed,
                cell: (one) => (one.failed === 0 ? 0 : <Failures site={site} change={one} />),
              },
              { title: t.requested, time: ({ requested_at }) => requested_at, relative: true },
              { title: t.by, value: ({ requested_by }) => requested_by },
              {
                title: null,
                cell: (one) => one.ended_at === null && hasRole('owner') && <CancelChange site={site} change={one} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

const stateColors = { scheduled: 'orange', running: 'cyan', done: 'teal', canceled: 'gray' } as const

function ChangeState({ of: { state, found, changed, unchanged, failed, starts_at } }: { of: BulkChange }) {
  const { bulk_changes: t } = useTexts('bulk_changes')
  const done = changed + unchanged + failed
  if (state === 'running') {
    const label = t.progress({ done, found })
    return (
      <Stack gap={4} miw={160}>
        <Progress value={found === 0 ? 0 : (done / found) * 100} animated aria-label={label} />
        <Text size="xs" c="dimmed">
          {label}
        </Text>
      </Stack>
    )
  }
  return (
    <Stack gap={4} align="flex-start">
      <Badge variant="light" color={stateColors[state]}>
        {t.states[state]}
      </Badge>
      {state === 'scheduled' && (
        <Text size="xs" c="dimmed">
          {t.starts} <DateTime at={starts_at} relative />
        </Text>
      )}
    </Stack>
  )
}

function CancelChange({ site, change: { change_id, action } }: { site: SiteReference; change: BulkChange }) {
  const { bulk_changes: t } = useTexts('bulk_changes')
  return (
    <DangerButton
      label={t.cancel}
      target={t.actions[action]}
      title={t.cancel_title}
      warning={t.cancel_warning}
      change={() => mutate('cancelBulkChange', { ...site, change_id })}
    />
  )
}
