import { Alert, Badge, Button, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference, UserExport } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { RequestExport } from './request-export.tsx'

const refreshMs = 2_000

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
                value: nameFormat,
                cell: (one) => <FormatCell of={one} />,
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

const nameFormat = ({ format, charset }: UserExport) => (format === 'csv' ? `CSV, ${charset}` : 'NDJSON')

/** With the first of the chosen columns; all of them are the title. */
function FormatCell({ of: one }: { of: UserExport }) {
  const { exports: t } = useTexts('exports')
  const [first, ...others] = one.columns ?? []
  return (
    <div>
      {nameFormat(one)}
      {first !== undefined && (
        <Text size="xs" c="dimmed" title={one.columns?.join(', ')}>
          {others.length === 0 ? first : t.columns_of({ first, count: others.length })}
        </Text>
      )}
    </div>
  )
}
