import { Alert, Anchor, Group, PasswordInput, type PasswordInputProps, Stack, TextInput } from '@mantine/core'
import { IconArrowRight, IconKey } from '@tabler/icons-react'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FactTable } from '../../parts/fact-table.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useReasonTexts, useTexts } from '../../texts/index.tsx'

type Move = NonNullable<AdminOutput<'readSiteMove'>['move']>

const refreshMs = 2_000

interface MoveProps {
  readonly site: SiteReference
  readonly move: Move
}

/** Moves the site to another cell, and shows how far the move is; operators see it. */
export function MoveSite({ site }: { site: SiteReference }) {
  const { site_move: t } = useTexts('site_move')
  const query = useRead('readSiteMove', site, {
    intervalMs: (read) => (read?.move && read.move.ended_at === null ? refreshMs : false),
  })
  return (
    <Section title={t.title} about={t.about}>
      <Loaded of={query}>
        {({ move }) => (
          <Stack gap="sm" align="flex-start">
            {move !== null && <Progress site={site} move={move} />}
            {(move === null || move.ended_at !== null) && <StartMove site={site} />}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

interface MoveForm extends Record<string, unknown> {
  target_url: string
  target_token: string
  web_api_url: string
  auth_url: string
}

const addresses = ['target_url', 'web_api_url', 'auth_url'] as const

function StartMove({ site }: { site: SiteReference }) {
  const { site_move: t } = useTexts('site_move')
  const initial: MoveForm = { target_url: '', target_token: '', web_api_url: '', auth_url: '' }
  return (
    <FormDialog
      label={t.start}
      button={{ variant: 'default', leftSection: <IconArrowRight size={18} /> }}
      initial={initial}
      fields={(form) => (
        <>
          {addresses.map((name) => (
            <TextInput
              key={name}
              type="url"
              label={t.fields[name]}
              placeholder="https://"
              autoComplete="off"
              spellCheck={false}
              required
              {...form.getInputProps(name)}
            />
          ))}
          <TargetToken {...form.getInputProps('target_token')} />
        </>
      )}
      save={async (values) => {
        await mutate('startSiteMove', { ...site, ...values })
        return undefined
      }}
    />
  )
}

function Progress({ site, move }: MoveProps) {
  const { site_move: t } = useTexts('site_move')
  const translate = useReasonTexts()
  const format = useFormat()
  const { state, direction, target_url, moved_to, service, table, round, rows_sent, parts_before, parts_now } = move
  const second = (at: string | null) => at !== null && format.second(at)
  return (
    <>
      <Alert color={move.ended_at === null ? 'blue' : 'gray'} role="status" title={t.states[state]}>
        {direction === 'back' && state !== 'rolled_back' ? t.back : t.meanings[state]}
      </Alert>
      {move.error !== null && (
        <Alert color="red">{t.waits({ error: translate(move.error_reason ?? '', {}) ?? move.error })}</Alert>
      )}
      <FactTable
        label={t.title}
        facts={[
          [t.fields.target_url, <Address key="console" url={target_url} />],
          [t.fields.web_api_url, moved_to.web_api_url],
          [t.fields.auth_url, moved_to.auth_url],
          [t.copies, service !== null && (table === null ? service : `${service} · ${table}`)],
          [t.round, format.number(round)],
          [t.rows_sent, format.number(rows_sent)],
          [t.parts_now, format.number(parts_now)],
          [t.parts_before, parts_before !== null && format.number(parts_before)],
          [t.requested, t.by({ name: move.requested_by, at: format.second(move.requested_at) })],
          [t.frozen_at, second(move.frozen_at)],
          [t.switched_at, second(move.switched_at)],
          [t.ended_by, move.ended_by],
          [t.ended_at, second(move.ended_at)],
        ]}
      />
      <Actions site={site} move={move} />
    </>
  )
}

function Address({ url }: { url: string }) {
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit>
      {url}
    </Anchor>
  )
}

function Actions({ site, move }: MoveProps) {
  return (
    <Group>
      <Ending site={site} move={move} />
      {move.ended_at === null && <ReplaceToken site={site} />}
    </Group>
  )
}

function ReplaceToken({ site }: { site: SiteReference }) {
  const { site_move: t } = useTexts('site_move')
  return (
    <FormDialog
      label={t.replace_token}
      button={{ variant: 'default', size: 'sm', leftSection: <IconKey size={18} /> }}
      initial={{ target_token: '' }}
      fields={(form) => <TargetToken {...form.getInputProps('target_token')} />}
      save={async (values) => {
        await mutate('replaceSiteMoveToken', { ...site, ...values })
        return undefined
      }}
    />
  )
}

function TargetToken(props: PasswordInputProps) {
  const { site_move: t } = useTexts('site_move')
  return (
    <PasswordInput label={t.fields.target_token} description={t.token_hint} autoComplete="off" required {...props} />
  )
}

/** Cancels, commits or rolls back. */
function Ending({ site, move: { state, direction } }: MoveProps) {
  const { site_move: t } = useTexts('site_move')
  if (direction === 'back') return null
  if (state === 'copying' || state === 'freezing' || state === 'finishing')
    return (
      <DangerButton
        label={t.cancel}
        size="sm"
        title={t.cancel_title}
        warning={t.cancel_warning}
        change={() => mutate('rollBackSiteMove', site)}
      />
    )
  if (state !== 'forwarding') return null
  return (
    <>
      <DangerButton
        label={t.commit}
        size="sm"
        title={t.commit_title({ site: site.site_id })}
        warning={t.commit_warning}
        change={() => mutate('commitSiteMove', site)}
      />
      <DangerButton
        label={t.roll_back}
        size="sm"
        title={t.roll_back_title}
        warning={t.roll_back_warning}
        change={() => mutate('rollBackSiteMove', site)}
      />
    </>
  )
}
