import { Alert, Badge, Button, PasswordInput, Progress, Select, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference, UserExport } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { CheckField } from '../../parts/use-documented-form.tsx'
import { allUsers, toUserFilter, UserFilterFields, type UserFilterValues } from '../../parts/user-filter-fields.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

const refreshMs = 2_000
const minPasswordLength = 12

const getRefreshInterval = (read: AdminOutput<'listExports'> | undefined) =>
  read?.exports.some(({ state }) => state === 'waiting' || state === 'running') === true && refreshMs

/** Exports of the site's users, with their progress. */
export function ExportsPage({ site }: { site: SiteReference }) {
  const { exports: t } = useTexts('exports')
  const hasRole = useHasRole(site)
  const query = useRead('listExports', site, { intervalMs: getRefreshInterval })
  const format = useFormat()
  return (
    <Page title={t.title} about={t.about} actions={hasRole('owner') && <RequestExport site={site} />}>
      {!hasRole('owner') && <Alert color="gray">{t.owners}</Alert>}
      <Loaded of={query}>
        {({ exports }) => (
          <DataTable
            label={t.title}
            keep="exports"
            rows={exports}
            name={({ export_id }) => export_id}
            empty={<EmptyList action={hasRole('owner') && t.request}>{t.empty}</EmptyList>}
            columns={[
              { title: t.requested, time: ({ requested_at }) => requested_at },
              { title: t.by, value: ({ requested_by }) => requested_by },
              {
                title: t.format,
                value: ({ format, charset }) => (format === 'csv' ? `CSV, ${charset}` : 'NDJSON'),
              },
              { title: t.state, value: ({ state }) => t.states[state], cell: (one) => <ExportState of={one} /> },
              {
                title: t.replaced,
                number: true,
                value: ({ replaced }) => replaced,
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
  const { exports: t } = useTexts('exports')
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

interface Values extends UserFilterValues {
  format: UserExport['format']
  charset: UserExport['charset']
  password: string
  with_profile: boolean
  with_credentials: boolean
}

const initial: Values = {
  ...allUsers,
  format: 'csv',
  charset: 'UTF-8',
  password: '',
  with_profile: false,
  with_credentials: false,
}

/** The fields of the request, without those that do not apply. */
function toRequest({ format, charset, password, with_profile, with_credentials, ...filter }: Values) {
  const isCsv = format === 'csv'
  return {
    format,
    password,
    with_profile,
    charset: isCsv ? charset : ('UTF-8' as const),
    with_credentials: !isCsv && with_credentials,
    ...toUserFilter(filter),
  }
}

function RequestExport({ site }: { site: SiteReference }) {
  const { exports: t } = useTexts('exports')
  return (
    <FormDialog<Values>
      documented="export"
      label={t.request}
      isAction
      initial={initial}
      validate={{ password: (password) => (password.length < minPasswordLength ? t.password_short : null) }}
      fields={(form) => (
        <>
          <Select
            label={t.format}
            data={(['csv', 'ndjson'] as const).map((value) => ({ value, label: t.formats[value] }))}
            allowDeselect={false}
            {...form.getInputProps('format')}
          />
          <PasswordInput
            label={t.password}
            description={t.password_hint}
            required
            autoComplete="new-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          {form.values.format === 'csv' && (
            <Select
              label={t.charset}
              description={t.charset_hint}
              data={['UTF-8', 'Shift_JIS']}
              allowDeselect={false}
              {...form.getInputProps('charset')}
            />
          )}
          <CheckField
            label={t.with_profile}
            description={t.with_profile_hint}
            {...form.getInputProps('with_profile', { type: 'checkbox' })}
          />
          {form.values.format === 'ndjson' && (
            <CheckField
              label={t.with_credentials}
              description={t.with_credentials_hint}
              {...form.getInputProps('with_credentials', { type: 'checkbox' })}
            />
          )}
          <UserFilterFields form={form} />
        </>
      )}
      save={async (values) => {
        await mutate('requestExport', { ...site, ...toRequest(values) })
      }}
    />
  )
}
