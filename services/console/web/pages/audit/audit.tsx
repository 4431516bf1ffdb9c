import { Alert, Anchor, Badge, Button, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { useRead } from '../../admin/queries.ts'
import type { AuditEntry, Input } from '../../admin/types.ts'
import { useAct } from '../../admin/use-act.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { Changes } from './changes.tsx'
import { saveAsCsv } from './csv.ts'

const typingMs = 300
const pageSize = 50
const exportSize = 1_000
type Filter = Omit<Input<'listWholeAudit'>, 'limit' | 'after'>

/** Every change in an account, or in all of them: by whom, from where, before and after. */
export function Audit({ account }: { account?: string }) {
  const { audit: t, common } = useTexts()
  const [written, setWritten] = useState({ account: '', site_id: '', act: '', actor: '', since: '', until: '' })
  const [typed] = useDebouncedValue(written, typingMs)
  const [pages, setPages] = useState<string[]>([])
  const [shown, setShown] = useState<AuditEntry>()
  const filter = filterOf(typed)
  const after = pages.at(-1)
  const asked = { ...filter, limit: pageSize, ...(after ? { after } : {}) }
  const ofAccount = useRead(
    'listAudit',
    { ...asked, account: account ?? '' },
    { keep: true, enabled: account !== undefined },
  )
  const ofAll = useRead('listWholeAudit', asked, { keep: true, enabled: account === undefined })
  const query = account === undefined ? ofAll : ofAccount
  const exporting = useAct(async () => saveAsCsv(`audit-${account ?? 'all'}.csv`, await everyEntry(account, filter)))
  const write = (field: keyof typeof written) => (value: string) => {
    setWritten({ ...written, [field]: value })
    setPages([])
  }

  return (
    <Page
      title={t.title}
      about={account === undefined ? t.whole_about : t.about}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={18} />}
          loading={exporting.busy}
          onClick={() => exporting.run()}
        >
          {t.export}
        </Button>
      }
    >
      <Group align="flex-end">
        {account === undefined && <Filtered label={t.account} value={written.account} onChange={write('account')} />}
        <Filtered label={t.site_id} value={written.site_id} onChange={write('site_id')} />
        <Select
          label={t.act}
          placeholder={t.any_act}
          data={Object.entries(t.acts).map(([value, label]) => ({ value, label }))}
          value={written.act || null}
          onChange={(chosen) => write('act')(chosen ?? '')}
          searchable
          clearable
          w={{ base: '100%', xs: 200 }}
        />
        <Filtered label={t.actor} value={written.actor} onChange={write('actor')} />
        <Filtered label={t.since} value={written.since} onChange={write('since')} date />
        <Filtered label={t.until} value={written.until} onChange={write('until')} date />
      </Group>
      {exporting.fault && <Failure fault={exporting.fault} />}
      <Loaded of={query}>
        {({ entries, more }) => (
          <>
            <Rows
              label={t.title}
              rows={entries}
              name={({ entry }) => entry}
              empty={t.empty}
              columns={[
                { title: t.at, cell: ({ at }) => <Moment at={at} /> },
                {
                  title: t.act,
                  cell: (entry) => (
                    <Group gap="xs">
                      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setShown(entry)}>
                        {nameOf(t.acts, entry.act)}
                      </Anchor>
                      <Outcome of={entry} />
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
      {shown && <Entry entry={shown} onClose={() => setShown(undefined)} />}
    </Page>
  )
}

interface FilteredProps {
  readonly label: string
  readonly value: string
  readonly date?: boolean
  readonly onChange: (value: string) => void
}

function Filtered({ label, value, date = false, onChange }: FilteredProps) {
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

function Entry({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { audit: t, common } = useTexts()
  const format = useFormat()
  return (
    <Dialog opened onClose={onClose} title={nameOf(t.acts, entry.act)} size="xl">
      <Stack>
        <Text size="sm">{t.by({ actor: entry.actor, address: entry.address, at: format.exact(entry.at) })}</Text>
        {entry.outcome !== 'done' && (
          <Alert color={outcomeColors[entry.outcome]} title={t.outcomes[entry.outcome]}>
            {t.outcome_says[entry.outcome]}
          </Alert>
        )}
        <Changes before={entry.before} after={entry.after} />
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {entry.act} · {common.request_id}: {entry.request_id}
        </Text>
      </Stack>
    </Dialog>
  )
}

const outcomeColors = { refused: 'gray', not_recorded: 'yellow' } as const

/** How a change ended, where it was not done. */
function Outcome({ of: { outcome } }: { of: AuditEntry }) {
  const { audit: t } = useTexts()
  if (outcome === 'done') return null
  return (
    <Badge variant="light" color={outcomeColors[outcome]}>
      {t.outcomes[outcome]}
    </Badge>
  )
}

/** An act in words; one that is newer than these pages by its own name. */
function nameOf(acts: Readonly<Record<string, string>>, act: string): string {
  return acts[act] ?? act
}

function filterOf({ account, site_id, act, actor, since, until }: Record<string, string>): Filter {
  return {
    ...(account ? { account } : {}),
    ...(site_id ? { site_id } : {}),
    ...(act ? { act } : {}),
    ...(actor ? { actor } : {}),
    ...(since ? { since: atLocal(since, '00:00:00') } : {}),
    ...(until ? { until: atLocal(until, '23:59:59') } : {}),
  }
}

/** A time of a day as the reader's clock has it, like the times of the list. */
function atLocal(day: string, time: string): string {
  return new Date(`${day}T${time}`).toISOString().replace(/\.\d+Z$/, 'Z')
}

async function everyEntry(account: string | undefined, filter: Filter): Promise<AuditEntry[]> {
  const all: AuditEntry[] = []
  for (;;) {
    const last = all.at(-1)?.entry
    const asked = { ...filter, limit: exportSize, ...(last ? { after: last } : {}) }
    const { entries, more } = await (account === undefined
      ? call('listWholeAudit', asked)
      : call('listAudit', { ...asked, account }))
    all.push(...entries)
    if (!more || entries.length === 0) return all
  }
}
