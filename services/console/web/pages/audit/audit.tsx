import { Alert, Anchor, Badge, Button, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { useRead } from '../../admin/queries.ts'
import type { AdminInput, AuditEntry } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { ChangeTable } from './change-table.tsx'
import { saveAsCsv } from './save-as-csv.ts'

const debounceMs = 300
const pageSize = 50
const exportSize = 1_000
type Filter = Omit<AdminInput<'listWholeAudit'>, 'limit' | 'after'>

/** The audit trail of an account, or of all accounts. */
export function AuditPage({ account }: { account?: string }) {
  const { audit: t, common } = useTexts('audit')
  const [input, setWritten] = useState({ account: '', site_id: '', action: '', actor: '', since: '', until: '' })
  const [debouncedInput] = useDebouncedValue(input, debounceMs)
  const [pages, setPages] = useState<string[]>([])
  const [selected, setShown] = useState<AuditEntry>()
  const filter = toFilter(debouncedInput)
  const after = pages.at(-1)
  const request = { ...filter, limit: pageSize, ...(after ? { after } : {}) }
  const accountQuery = useRead(
    'listAudit',
    { ...request, account: account ?? '' },
    { keepPrevious: true, enabled: account !== undefined },
  )
  const allQuery = useRead('listWholeAudit', request, { keepPrevious: true, enabled: account === undefined })
  const query = account === undefined ? allQuery : accountQuery
  const exporting = useAction(async () =>
    saveAsCsv(`audit-${account ?? 'all'}.csv`, await fetchAllEntries(account, filter)),
  )
  const update = (field: keyof typeof input) => (value: string) => {
    setWritten({ ...input, [field]: value })
    setPages([])
  }

  return (
    <Page
      title={t.title}
      about={account === undefined ? t.all_about : t.about}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={18} />}
          loading={exporting.isBusy}
          onClick={() => exporting.run()}
        >
          {t.export}
        </Button>
      }
    >
      <Group align="flex-end">
        {account === undefined && <FilterField label={t.account} value={input.account} onChange={update('account')} />}
        <FilterField label={t.site_id} value={input.site_id} onChange={update('site_id')} />
        <Select
          label={t.action}
          placeholder={t.any_action}
          data={Object.entries(t.actions).map(([value, label]) => ({ value, label }))}
          value={input.action || null}
          onChange={(chosen) => update('action')(chosen ?? '')}
          searchable
          clearable
          w={{ base: '100%', xs: 200 }}
        />
        <FilterField label={t.actor} value={input.actor} onChange={update('actor')} />
        <FilterField label={t.since} value={input.since} onChange={update('since')} date />
        <FilterField label={t.until} value={input.until} onChange={update('until')} date />
      </Group>
      {exporting.fault && <FaultAlert fault={exporting.fault} />}
      <Loaded of={query}>
        {({ entries, more }) => (
          <>
            <DataTable
              label={t.title}
              rows={entries}
              name={({ entry }) => entry}
              empty={t.empty}
              columns={[
                { title: t.at, cell: ({ at }) => <DateTime at={at} /> },
                {
                  title: t.action,
                  cell: (entry) => (
                    <Group gap="xs">
                      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setShown(entry)}>
                        {getActionName(t.actions, entry.action)}
                      </Anchor>
                      <OutcomeBadge of={entry} />
                    </Group>
                  ),
                },
                ...(account === undefined ? [{ title: t.account, cell: (entry: AuditEntry) => entry.account }] : []),
                { title: t.site_id, cell: ({ site_id }) => site_id },
                { title: t.actor, cell: ({ actor }) => actor },
                { title: t.address, cell: ({ address }) => <Code>{address}</Code> },
              ]}
            />
            <Group>
              {after && (
                <Button variant="default" onClick={() => setPages(pages.slice(0, -1))}>
                  {common.previous}
                </Button>
              )}
              {more && (
                <Button variant="default" onClick={() => setPages([...pages, entries.at(-1)?.entry ?? ''])}>
                  {common.next}
                </Button>
              )}
            </Group>
          </>
        )}
      </Loaded>
      {selected && <EntryDialog entry={selected} onClose={() => setShown(undefined)} />}
    </Page>
  )
}

interface FilterFieldProps {
  readonly label: string
  readonly value: string
  readonly date?: boolean
  readonly onChange: (value: string) => void
}

function FilterField({ label, value, date = false, onChange }: FilterFieldProps) {
  return (
    <TextInput
      type={date ? 'date' : 'text'}
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      w={{ base: '100%', xs: 168 }}
    />
  )
}

function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { audit: t, common } = useTexts('audit')
  const format = useFormat()
  return (
    <Dialog opened onClose={onClose} title={getActionName(t.actions, entry.action)} size="xl">
      <Stack>
        <Text size="sm">{t.by({ actor: entry.actor, address: entry.address, at: format.exact(entry.at) })}</Text>
        {entry.outcome !== 'succeeded' && (
          <Alert color={outcomeColors[entry.outcome]} title={t.outcomes[entry.outcome]}>
            {t.outcome_descriptions[entry.outcome]}
          </Alert>
        )}
        <ChangeTable before={entry.before} after={entry.after} />
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {entry.action} · {common.request_id}: {entry.request_id}
        </Text>
      </Stack>
    </Dialog>
  )
}

const outcomeColors = { rejected: 'gray', unknown: 'yellow' } as const

/** Shows the outcome of a change that did not succeed. */
function OutcomeBadge({ of: { outcome } }: { of: AuditEntry }) {
  const { audit: t } = useTexts('audit')
  if (outcome === 'succeeded') return null
  return (
    <Badge variant="light" color={outcomeColors[outcome]}>
      {t.outcomes[outcome]}
    </Badge>
  )
}

/** Returns the label of an action; actions of a newer service have none and keep their name. */
function getActionName(actions: Readonly<Record<string, string>>, action: string): string {
  return actions[action] ?? action
}

function toFilter({ account, site_id, action, actor, since, until }: Record<string, string>): Filter {
  return {
    ...(account ? { account } : {}),
    ...(site_id ? { site_id } : {}),
    ...(action ? { action } : {}),
    ...(actor ? { actor } : {}),
    ...(since ? { since: toUtc(since, '00:00:00') } : {}),
    ...(until ? { until: toUtc(until, '23:59:59') } : {}),
  }
}

/** Converts a local date and time to UTC. */
function toUtc(day: string, time: string): string {
  return new Date(`${day}T${time}`).toISOString().replace(/\.\d+Z$/, 'Z')
}

async function fetchAllEntries(account: string | undefined, filter: Filter): Promise<AuditEntry[]> {
  const all: AuditEntry[] = []
  for (;;) {
    const last = all.at(-1)?.entry
    const request = { ...filter, limit: exportSize, ...(last ? { after: last } : {}) }
    const { entries, more } = await (account === undefined
      ? call('listWholeAudit', request)
      : call('listAudit', { ...request, account }))
    all.push(...entries)
    if (!more || entries.length === 0) return all
  }
}
