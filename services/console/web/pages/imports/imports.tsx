import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference, UserImport } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { RejectedLines } from './rejected-lines.tsx'
import { SendingProgress } from './sending-progress.tsx'
import { ContinueImport, StartImport } from './start-import.tsx'
import { useSending } from './use-sending.ts'

const refreshMs = 5_000

const getRefreshInterval = (read: AdminOutput<'listImports'> | undefined) =>
  read?.imports.some(({ state }) => state === 'running') === true && refreshMs

/** Imports of users: start one from a file, watch its progress, and see its rejected lines. */
export function ImportsPage({ site }: { site: SiteReference }) {
  const { imports: t } = useTexts('imports')
  const hasRole = useHasRole(site)
  const isOwner = hasRole('owner')
  const query = useRead('listImports', site, { intervalMs: getRefreshInterval })
  const sending = useSending(site)
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={isOwner && <StartImport site={site} send={sending.send} isSending={sending.sent !== undefined} />}
    >
      {!isOwner && <Alert color="gray">{t.owners}</Alert>}
      <SendingProgress {...sending} />
      <Loaded of={query}>
        {({ imports }) => (
          <DataTable
            label={t.title}
            keep="imports"
            rows={imports}
            name={({ import_id }) => import_id}
            empty={<EmptyList action={isOwner && t.start}>{t.empty}</EmptyList>}
            columns={[
              {
                title: t.file,
                value: ({ file_name }) => file_name,
                cell: ({ file_name, dry_run }) => (
                  <Group gap="xs">
                    {file_name}
                    {dry_run && (
                      <Badge variant="light" color="gray">
                        {t.dry_run}
                      </Badge>
                    )}
                  </Group>
                ),
              },
              { title: t.rule, value: ({ conflict }) => t.rules[conflict] },
              {
                title: t.state,
                value: ({ state }) => t.states[state],
                cell: ({ state }) => <ImportState state={state} />,
              },
              { title: t.result, cell: (one) => <ImportResult of={one} /> },
              { title: t.started, time: ({ started_at }) => started_at },
              { title: t.by, value: ({ requested_by }) => requested_by },
              {
                title: null,
                cell: (one) => (
                  <Group gap="xs" justify="flex-end">
                    {one.rejected > 0 && <RejectedLines site={site} of={one} />}
                    {isOwner && one.state === 'running' && sending.sent === undefined && (
                      <>
                        <ContinueImport of={one} send={sending.send} />
                        <CancelImport site={site} of={one} />
                      </>
                    )}
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

const stateColors = { running: 'cyan', done: 'teal', cancelled: 'gray' } as const

function ImportState({ state }: Pick<UserImport, 'state'>) {
  const { imports: t } = useTexts('imports')
  return (
    <Badge variant="light" color={stateColors[state]} leftSection={state === 'running' && <IconPlayerPlay size={12} />}>
      {t.states[state]}
    </Badge>
  )
}

const outcomes = ['created', 'merged', 'replaced', 'skipped', 'rejected'] as const

function ImportResult({ of }: { of: UserImport }) {
  const { imports: t } = useTexts('imports')
  const format = useFormat()
  const counted = outcomes.filter((outcome) => of[outcome] > 0)
  return (
    <Stack gap={0}>
      {counted.map((outcome) => (
        <Text
          key={outcome}
          size="sm"
          style={{ whiteSpace: 'nowrap' }}
          {...(outcome === 'rejected' ? { c: 'red' } : {})}
        >
          {t.outcomes[outcome]}: {format.number(of[outcome])}
        </Text>
      ))}
    </Stack>
  )
}

function CancelImport({ site, of: { import_id } }: { site: SiteReference; of: UserImport }) {
  const { imports: t } = useTexts('imports')
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={<IconX size={16} />}
      onClick={() => void mutate('endImport', { ...site, import_id, state: 'cancelled' })}
    >
      {t.cancel}
    </Button>
  )
}
