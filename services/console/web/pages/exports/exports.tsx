import { Alert, Badge, Button, Checkbox, PasswordInput, Progress, Select, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference, UserExport } from '../../admin/types.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

const refreshMs = 2_000
const minPasswordLength = 12

const getRefreshInterval = (read: AdminOutput<'listExports'> | undefined) =>
  read?.exports.some(({ state }) => state === 'waiting' || state === 'running') === true && refreshMs

/** Exports of the site's users, with their progress. */
export function ExportsPage({ site }: { site: SiteReference }) {
  const { exports: t } = useTexts()
  const hasRole = useHasRole(site.account)
  const query = useRead('listExports', site, { intervalMs: getRefreshInterval })
  const format = useFormat()
  return (
    <Page title={t.title} about={t.about} actions={hasRole('owner') && <RequestExport site={site} />}>
      {!hasRole('owner') && <Alert color="gray">{t.owners}</Alert>}
      <Loaded of={query}>
        {({ exports }) => (
          <DataTable
            label={t.title}
            rows={exports}
            name={({ export_id }) => export_id}
            empty={t.empty}
            columns={[
              { title: t.requested, cell: ({ requested_at }) => <DateTime at={requested_at} /> },
              { title: t.by, cell: ({ requested_by }) => requested_by },
              { title: t.charset, cell: ({ charset }) => charset },
              { title: t.state, cell: (one) => <ExportState of={one} /> },
              {
                title: t.replaced,
                number: true,
                cell: ({ replaced }) => (replaced === 0 ? '' : format.number(replaced)),
              },
              { title: t.until, cell: ({ expires_at }) => expires_at && <DateTime at={expires_at} relative /> },
              {
                title: null,
                number: true,
                cell: ({ file, bytes }) =>
                  file !== null && (
                    <Button
                      component="a"
                      href={file}
                      download
                      size="compact-sm"
                      variant="light"
                      leftSection={<IconDownload size={16} />}
                    >
                      {t.download} {bytes !== null && `(${format.kilobytes(bytes)})`}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

const stateColors = { waiting: 'gray', running: 'cyan', ready: 'teal', failed: 'red', expired: 'gray' } as const

function ExportState({ of: { state, written, total } }: { of: UserExport }) {
  const { exports: t } = useTexts()
  if (state !== 'running')
    return (
      <Badge variant="light" color={stateColors[state]}>
        {t.states[state]}
      </Badge>
    )
  const label = t.progress({ written, total })
  return (
    <Stack gap={4} miw={160}>
      <Progress value={total === 0 ? 0 : (written / total) * 100} animated aria-label={label} />
      <Text size="xs" c="dimmed">
        {label}
      </Text>
    </Stack>
  )
}

function RequestExport({ site }: { site: SiteReference }) {
  const { exports: t } = useTexts()
  type Values = { charset: UserExport['charset']; password: string; with_profile: boolean }
  return (
    <FormDialog<Values>
      label={t.request}
      initial={{ charset: 'UTF-8', password: '', with_profile: false }}
      validate={{ password: (password) => (password.length < minPasswordLength ? t.password_short : null) }}
      fields={(form) => (
        <>
          <PasswordInput
            label={t.password}
            description={t.password_hint}
            required
            autoComplete="new-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          <Select
            label={t.charset}
            description={t.charset_hint}
            data={['UTF-8', 'Shift_JIS']}
            allowDeselect={false}
            {...form.getInputProps('charset')}
          />
          <Checkbox
            label={t.with_profile}
            description={t.with_profile_hint}
            {...form.getInputProps('with_profile', { type: 'checkbox' })}
          />
        </>
      )}
      save={async (values) => {
        await mutate('requestExport', { ...site, ...values })
      }}
    />
  )
}
