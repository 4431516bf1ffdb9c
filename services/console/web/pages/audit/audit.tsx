import { Alert, Anchor, Badge, Button, Code, Group, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { useRead } from '../../admin/queries.ts'
import type { AdminInput, AuditEntry, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { PageButtons, useCursorPages } from '../../parts/table/cursor-pages.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { FilterBar } from '../../parts/table/filter-bar.tsx'
import { FilterChoice, FilterField } from '../../parts/table/filter-field.tsx'
import { saveAsCsv } from '../../parts/table/save-as-csv.ts'
import { useAddressFilters } from '../../parts/table/use-address-filters.ts'
import { toUtc } from '../../parts/to-utc.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { ActorName, useNameActor } from './actor.tsx'
import { ChangeTable } from './change-table.tsx'
import { StreamsLink } from './streams-link.tsx'

const debounceMs = 300
const pageSize = 50
const exportSize = 1_000
const filterNames = ['account', 'site_id', 'action', 'actor_kind', 'actor', 'identifier', 'since', 'until'] as const
type Filter = Omit<AdminInput<'listWholeAudit'>, 'limit' | 'after'>

/** The audit trail of a site. */
export function SiteAuditPage({ site: { account, site_id } }: { site: SiteReference }) {
  return <AuditPage account={account} site_id={site_id} />
}

/** The audit trail of an account, beginning with a site of it, or of all accounts. */
export function AuditPage({ account, site_id = '' }: { account?: string; site_id?: string }) {
  const { audit: t } = useTexts('audit')
  const [filters, changeFilters] = useAddressFilters(filterNames)
  const input = { ...filters, site_id: filters.site_id || site_id }
  // As text, because the object is another one each time.
  const [debouncedInput] = useDebouncedValue(JSON.stringify(input), debounceMs)
  const pages = useCursorPages()
  const nameActor = useNameActor()
  const [selected, setShown] = useState<AuditEntry>()
  const filter = toFilter(JSON.parse(debouncedInput))
  const request = { ...filter, limit: pageSize, ...(pages.after ? { after: pages.after } : {}) }
  const accountQuery = useRead(
    'listAudit',
    { ...request, account: account ?? '' },
    { keepPrevious: true, enabled: account !== undefined },
  )
  const allQuery = useRead('listWholeAudit', request, { keepPrevious: true, enabled: account === undefined })
  const query = account === undefined ? allQuery : accountQuery
  const exporting = useAction(async () =>
    saveEntries(`audit-${account ?? 'all'}.csv`, await fetchAllEntries(account, filter)),
  )
  const update = (field: keyof typeof input) => (value: string) => {
    changeFilters({ [field]: value })
    pages.turnToFirst()
  }

  return (
    <Page
      title={t.title}
      about={account === undefined ? t.all_about : t.about}
      actions={
        <>
          <StreamsLink account={account} isOfSite={site_id !== ''} />
          <Button
            variant="default"
            leftSection={<IconDownload size={18} />}
            loading={exporting.isBusy}
            onClick={() => exporting.run()}
          >
            {t.export}
          </Button>
        </>
      }
    >
      <FilterBar chosen={Object.keys(filter).length}>
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
        <FilterChoice
          label={t.actor_kind}
          value={input.actor_kind}
          onChange={update('actor_kind')}
          any={t.any_actor}
          choices={Object.entries(t.actor_kinds).map(([value, label]) => ({ value, label }))}
        />
        <FilterField label={t.actor} value={input.actor} onChange={update('actor')} />
        <FilterField label={t.user} value={input.identifier} onChange={update('identifier')} />
        <FilterField label={t.since} value={input.since} onChange={update('since')} type="date" />
        <FilterField label={t.until} value={input.until} onChange={update('until')} type="date" />
      </FilterBar>
      {exporting.fault && <FaultAlert fault={exporting.fault} />}
      <Loaded of={query}>
        {({ entries, more }) => (
          <>
            <DataTable
              label={t.title}
              keep="audit"
              isPage
              rows={entries}
              name={({ entry }) => entry}
              empty={t.empty}
              columns={[
                { title: t.at, time: ({ at }) => at },
                {
                  title: t.action,
                  value: ({ action }) => getActionName(t.actions, action),
                  cell: (entry) => (
                    <Group gap="xs">
                      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setShown(entry)}>
                        {getActionName(t.actions, entry.action)}
                      </Anchor>
                      <OutcomeBadge of={entry} />
                    </Group>
                  ),
                },
                ...(account === undefined ? [{ title: t.account, value: (entry: AuditEntry) => entry.account }] : []),
                { title: t.site_id, value: ({ site_id }) => site_id },
                { title: t.actor, value: nameActor, cell: (entry) => <ActorName of={entry} /> },
                {
                  title: t.address,
                  value: ({ address }) => address,
                  cell: ({ address }) => address && <Code>{address}</Code>,
                },
              ]}
            />
            <PageButtons of={pages} next={more ? entries.at(-1)?.entry : undefined} />
          </>
        )}
      </Loaded>
      {selected && <EntryDialog entry={selected} onClose={() => setShown(undefined)} />}
    </Page>
  )
}

function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { audit: t, common } = useTexts('audit')
  const format = useFormat()
  const nameActor = useNameActor()
  const origin = { actor: nameActor(entry), at: format.exact(entry.at) }
  return (
    <Dialog opened onClose={onClose} title={getActionName(t.actions, entry.action)} size="xl">
      <Stack>
        <Text size="sm">
          {entry.address === null ? t.by_end_user(origin) : t.by({ ...origin, address: entry.address })}
        </Text>
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

function toFilter({ since, until, ...named }: Record<string, string>): Filter {
  return {
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== '')),
    ...(since ? { since: toUtc(`${since}T00:00:00`) } : {}),
    ...(until ? { until: toUtc(`${until}T23:59:59`) } : {}),
  }
}

const csvColumns = [
  'at',
  'action',
  'account',
  'site_id',
  'actor_kind',
  'actor',
  'address',
  'request_id',
  'outcome',
  'fault',
  'before',
  'after',
] as const

function saveEntries(fileName: string, entries: readonly AuditEntry[]): void {
  saveAsCsv(fileName, [csvColumns, ...entries.map((entry) => csvColumns.map((column) => entry[column]))])
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
