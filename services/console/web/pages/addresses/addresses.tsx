import { Alert, Button, Code, Group, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { RequestFault } from '../../admin/fault.ts'
import { useMay } from '../../admin/may.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { Output, Site, SiteName } from '../../admin/types.ts'
import { useAct } from '../../admin/use-act.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { type Texts, useTexts } from '../../texts/index.tsx'
import { CallerTable, useConsequences } from './consequences.tsx'

type Rehearsed = Output<'rehearseAllowedAddresses'>

/** Addresses that can call the Web API. Saving checks a list first; the check also works without saving. */
export function Addresses({ site }: { site: SiteName }) {
  const { addresses: t } = useTexts()
  const query = useRead('readSite', site)
  return (
    <Page title={t.title} about={t.about}>
      <Loaded of={query}>{(settings) => <List site={settings} />}</Loaded>
    </Page>
  )
}

function List({ site }: { site: Site }) {
  const { addresses: t, common } = useTexts()
  const may = useMay(site.account)
  const { account, site_id } = site
  const form = useForm({ initialValues: versionOf(site).values })
  const [rehearsed, setRehearsed] = useState<Rehearsed>()
  const written = form.values.allowed_addresses
  const consequences = useConsequences(site)

  const listed = () => addressesIn(written)
  const rehearsal = useAct(async () => {
    setRehearsed(undefined)
    form.clearErrors()
    try {
      const { addresses } = listed()
      setRehearsed(await call('rehearseAllowedAddresses', { account, site_id, allowed_addresses: addresses }))
    } catch (error) {
      const told = byLine(error, listed().lines, common.line)
      if (told instanceof RequestFault && told.fields.length > 0) {
        form.setErrors({ allowed_addresses: told.fields.map(({ message }) => message).join('\n') })
      } else throw told
    }
  })

  const save = async (_: unknown, revision: number) => {
    const { addresses, lines } = listed()
    try {
      const confirm = await consequences.confirm(addresses)
      const change = { account, site_id, allowed_addresses: addresses, confirm }
      return versionOf(await act('changeSite', change, { revision }))
    } catch (error) {
      throw byLine(error, lines, common.line)
    }
  }

  return (
    <Stack>
      {!may('editor') && <Alert color="gray">{common.read_only}</Alert>}
      {site.allowed_addresses.length === 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle />}>
          {t.everybody}
        </Alert>
      )}
      <ChangeForm
        form={form}
        save={save}
        revision={site.revision}
        reread={async () => versionOf(await call('readSite', { account, site_id }))}
        labels={{ allowed_addresses: t.list }}
        readonly={!may('editor')}
      >
        <Textarea
          label={t.list}
          description={t.list_hint}
          placeholder={'192.0.2.7\n198.51.100.0/24\n2001:db8::/32'}
          autosize
          minRows={6}
          maxRows={24}
          maw={480}
          styles={{ input: { fontFamily: 'monospace' } }}
          {...form.getInputProps('allowed_addresses')}
        />
      </ChangeForm>
      <Group>
        <Button variant="default" loading={rehearsal.busy} onClick={() => rehearsal.run()}>
          {t.rehearse}
        </Button>
        <Text size="sm" c="dimmed">
          {t.rehearse_about}
        </Text>
      </Group>
      {rehearsal.fault && <Failure fault={rehearsal.fault} />}
      {rehearsed && <Rehearsal of={rehearsed} />}
      {consequences.dialog}
    </Stack>
  )
}

function Rehearsal({ of: { your_address, your_address_allowed, calls, calls_unknown, refused } }: { of: Rehearsed }) {
  const { addresses: t } = useTexts()
  const count = refused.reduce((sum, one) => sum + one.calls, 0)
  return (
    <Stack role="status">
      <Text size="sm">
        {t.your_address} <Code>{your_address}</Code> – {your_address_allowed ? t.allowed : t.not_allowed}
      </Text>
      {calls_unknown > 0 && <Text size="sm">{t.unknown({ calls: calls_unknown })}</Text>}
      {refused.length === 0 ? (
        <Alert color="teal" icon={<IconCircleCheck />}>
          {t.nobody_refused({ calls })}
        </Alert>
      ) : (
        <>
          <Alert color="red" icon={<IconAlertTriangle />}>
            {t.refused({ refused: count, calls })}
          </Alert>
          <CallerTable callers={refused} />
        </>
      )}
    </Stack>
  )
}

function versionOf({ allowed_addresses, revision }: Site) {
  return { values: { allowed_addresses: allowed_addresses.join('\n') }, revision }
}

/** The addresses of a text, and the line each stands on, from 1. */
function addressesIn(text: string): { addresses: string[]; lines: number[] } {
  const written = text.split('\n').map((line, at) => ({ address: line.trim(), line: at + 1 }))
  const some = written.filter(({ address }) => address !== '')
  return { addresses: some.map(({ address }) => address), lines: some.map(({ line }) => line) }
}

/** A refusal of `allowed_addresses.3`, told by the line it is about. */
function byLine(error: unknown, lines: number[], text: Texts['common']['line']): unknown {
  if (!(error instanceof RequestFault)) return error
  const fields = error.fields.map(({ field, message }) => {
    const line = lines[Number(field.split('.')[1])]
    return { field: 'allowed_addresses', message: line === undefined ? message : text({ line, message }) }
  })
  return new RequestFault(error.fault, error.message, fields, error.requestId)
}
