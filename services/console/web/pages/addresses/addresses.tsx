import { Alert, Button, Code, Group, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { RequestFault } from '../../admin/fault.ts'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, Site, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { type Texts, useTexts } from '../../texts/index.tsx'
import { CallerTable, useConsequenceCheck } from './consequence-check.tsx'

type Preview = AdminOutput<'previewAllowedAddresses'>

/** Addresses that can call the Web API. Saving checks a list first; the check also works without saving. */
export function AddressesPage({ site }: { site: SiteReference }) {
  const { addresses: t } = useTexts('addresses')
  const query = useRead('readSite', site)
  return (
    <Page title={t.title} about={t.about}>
      <Loaded of={query}>{(settings) => <AddressForm site={settings} />}</Loaded>
    </Page>
  )
}

function AddressForm({ site }: { site: Site }) {
  const { addresses: t, common } = useTexts('addresses')
  const hasRole = useHasRole(site)
  const { account, site_id } = site
  const form = useForm({ initialValues: toVersion(site).values })
  const [preview, setRehearsed] = useState<Preview>()
  const text = form.values.allowed_addresses
  const consequences = useConsequenceCheck(site)

  const parseText = () => parseAddresses(text)
  const previewing = useAction(async () => {
    setRehearsed(undefined)
    form.clearErrors()
    try {
      const { addresses } = parseText()
      setRehearsed(await call('previewAllowedAddresses', { account, site_id, allowed_addresses: addresses }))
    } catch (error) {
      const fault = toLineErrors(error, parseText().lines, common.line)
      if (fault instanceof RequestFault && fault.fields.length > 0) {
        form.setErrors({ allowed_addresses: fault.fields.map(({ message }) => message).join('\n') })
      } else throw fault
    }
  })

  const save = async (_: unknown, revision: number) => {
    const { addresses, lines } = parseText()
    try {
      const confirm = await consequences.confirm(addresses)
      const change = { account, site_id, allowed_addresses: addresses, confirm }
      return toVersion(await mutate('changeSite', change, { revision }))
    } catch (error) {
      throw toLineErrors(error, lines, common.line)
    }
  }

  return (
    <Stack>
      {!hasRole('editor') && <Alert color="gray">{common.read_only}</Alert>}
      {site.allowed_addresses.length === 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle />}>
          {t.all_allowed}
        </Alert>
      )}
      <ChangeForm
        form={form}
        save={save}
        revision={site.revision}
        reread={async () => toVersion(await call('readSite', { account, site_id }))}
        labels={{ allowed_addresses: t.list }}
        readonly={!hasRole('editor')}
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
        <Button variant="default" loading={previewing.isBusy} onClick={() => previewing.run()}>
          {t.preview}
        </Button>
        <Text size="sm" c="dimmed">
          {t.preview_about}
        </Text>
      </Group>
      {previewing.fault && <FaultAlert fault={previewing.fault} />}
      {preview && <PreviewResult of={preview} />}
      {consequences.dialog}
    </Stack>
  )
}

function PreviewResult({
  of: { your_address, your_address_allowed, calls, unattributed_calls, blocked },
}: {
  of: Preview
}) {
  const { addresses: t } = useTexts('addresses')
  const count = blocked.reduce((sum, one) => sum + one.calls, 0)
  return (
    <Stack role="status">
      <Text size="sm">
        {t.your_address} <Code>{your_address}</Code> – {your_address_allowed ? t.allowed : t.blocked}
      </Text>
      {unattributed_calls > 0 && <Text size="sm">{t.unattributed({ calls: unattributed_calls })}</Text>}
      {blocked.length === 0 ? (
        <Alert color="teal" icon={<IconCircleCheck />}>
          {t.none_blocked({ calls })}
        </Alert>
      ) : (
        <>
          <Alert color="red" icon={<IconAlertTriangle />}>
            {t.some_blocked({ blocked: count, calls })}
          </Alert>
          <CallerTable callers={blocked} />
        </>
      )}
    </Stack>
  )
}

function toVersion({ allowed_addresses, revision }: Site) {
  return { values: { allowed_addresses: allowed_addresses.join('\n') }, revision }
}

/** Parses the addresses of a text with their line numbers, from 1. */
function parseAddresses(text: string): { addresses: string[]; lines: number[] } {
  const written = text.split('\n').map((line, at) => ({ address: line.trim(), line: at + 1 }))
  const entries = written.filter(({ address }) => address !== '')
  return { addresses: entries.map(({ address }) => address), lines: entries.map(({ line }) => line) }
}

/** Converts errors of fields such as `allowed_addresses.3` to errors of lines. */
function toLineErrors(error: unknown, lines: number[], text: Texts['common']['line']): unknown {
  if (!(error instanceof RequestFault)) return error
  const fields = error.fields.map(({ field, message }) => {
    const line = lines[Number(field.split('.')[1])]
    return { field: 'allowed_addresses', message: line === undefined ? message : text({ line, message }) }
  })
  return new RequestFault(error.fault, error.message, fields, error.requestId)
}
