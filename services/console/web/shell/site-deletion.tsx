import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useHasRole } from '../admin/permissions.ts'
import { mutate, useRead } from '../admin/queries.ts'
import type { AdminOutput, SiteReference } from '../admin/types.ts'
import { useAction } from '../admin/use-action.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { FaultAlert } from '../parts/fault-alert.tsx'
import { Page } from '../parts/page.tsx'
import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/index.tsx'
import { paths } from './paths.ts'

type Deletion = NonNullable<AdminOutput<'readSiteDeletion'>['deletion']>

const refreshMs = 5_000

/** Above the pages of a site whose deletion was requested: what happens, and what can be done. A closed site has no pages. */
export function DeletionState({ site, children }: { site: SiteReference; children: ReactNode }) {
  const { data } = useRead('readSiteDeletion', site, {
    intervalMs: (read) => (isChanging(read?.deletion?.state) ? refreshMs : false),
  })
  const deletion = data?.deletion ?? null
  if (deletion === null || deletion.state === 'canceled' || deletion.state === 'expired') return children
  if (deletion.state !== 'pending') return <ClosedSite site={site} deletion={deletion} />
  return (
    <Stack gap="lg">
      <PendingDeletion site={site} deletion={deletion} />
      {children}
    </Stack>
  )
}

function isChanging(state: Deletion['state'] | undefined): boolean {
  return state === 'pending' || state === 'approved' || state === 'deleting'
}

function PendingDeletion({ site, deletion }: { site: SiteReference; deletion: Deletion }) {
  const { site_deletion: t } = useTexts('site_deletion')
  const format = useFormat()
  const hasRole = useHasRole(site)
  const cancel = useAction(() => mutate('cancelSiteDeletion', site))
  const { requested_by, expires_at, reason, not_approvable_because } = deletion
  return (
    <Alert color="red" icon={<IconTrash />} title={t.pending}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t.pending_text({ by: requested_by, until: format.moment(expires_at) })}</Text>
        {reason !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t.given_reason({ reason })}
          </Text>
        )}
        {not_approvable_because !== null && <Text size="sm">{t.obstacles[not_approvable_because]}</Text>}
        {cancel.fault && <FaultAlert fault={cancel.fault} />}
        {hasRole('owner') && (
          <Group>
            {not_approvable_because === null && (
              <DangerButton
                label={t.approve}
                size="sm"
                variant="filled"
                title={t.approve_title({ site: site.site_id })}
                warning={t.gone}
                change={() => mutate('approveSiteDeletion', site)}
              />
            )}
            <Button variant="default" loading={cancel.isBusy} onClick={() => cancel.run()}>
              {t.cancel_request}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

function ClosedSite({ site, deletion }: { site: SiteReference; deletion: Deletion }) {
  const { site_deletion: t } = useTexts('site_deletion')
  const format = useFormat()
  const { state, deleted, deleted_at, requested_by, approved_by } = deletion
  const rows = Object.values(deleted)
    .flatMap((tables) => Object.values(tables ?? {}))
    .reduce((sum, count) => sum + count, 0)
  const isDeleted = deleted_at !== null
  return (
    <Page title={isDeleted ? t.deleted : t[state === 'approved' ? 'approved' : 'deleting']}>
      <Alert color={isDeleted ? 'gray' : 'red'} icon={<IconTrash />} role="status">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            {isDeleted
              ? t.deleted_text({ by: requested_by, approved_by: approved_by ?? '', at: format.moment(deleted_at) })
              : t.deleting_text({ rows })}
          </Text>
          <Button component={Link} href={paths.account(site.account)} variant="default">
            {t.to_account}
          </Button>
        </Stack>
      </Alert>
    </Page>
  )
}
