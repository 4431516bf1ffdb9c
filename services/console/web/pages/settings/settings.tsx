import { Alert, Checkbox, NumberInput, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { call } from '../../admin/call.ts'
import { useMay, useOperator } from '../../admin/may.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { Site, SiteName } from '../../admin/types.ts'
import { AdminForm } from '../../parts/admin-form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { checks, linesOf } from '../checks.ts'
import { ProfileStorage } from './profile-storage.tsx'

/** What a site is told of itself, what is contracted, and what of profiles is kept. */
export function Settings({ site }: { site: SiteName }) {
  const { settings: t, common } = useTexts()
  const query = useRead('readSite', site)
  const may = useMay(site.account)
  return (
    <Page title={t.title} about={t.about}>
      {!may('editor') && <Alert color="gray">{common.read_only}</Alert>}
      <Loaded of={query}>
        {(settings) => (
          <>
            <General site={settings} readonly={!may('editor')} />
            <ProfileStorage site={settings} readonly={!may('editor')} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface Values extends Record<string, unknown> {
  name: string
  kind: Site['kind']
  service_url: string
  domains: string
  requests_per_window: number | string
  fixed_address_option: boolean
}

const valuesOf = (site: Site): Values => ({
  name: site.name,
  kind: site.kind,
  service_url: site.service_url ?? '',
  domains: site.domains.join('\n'),
  requests_per_window: site.requests_per_window,
  fixed_address_option: site.fixed_address_option,
})

function General({ site, readonly }: { site: Site; readonly: boolean }) {
  const { settings: t, sites, common } = useTexts()
  const operator = useOperator()
  const { account, site_id } = site
  const check = checks(common.fields)
  const form = useForm<Values>({
    initialValues: valuesOf(site),
    validate: { name: check.title, service_url: check.web_address },
  })

  const save = async (values: Values) => {
    const { name, kind, domains } = values
    const contract = {
      requests_per_window: Number(values.requests_per_window),
      fixed_address_option: values.fixed_address_option,
    }
    const changed = await act(
      'changeSite',
      {
        account,
        site_id,
        name,
        kind,
        service_url: values.service_url.trim() || null,
        domains: linesOf(domains),
        ...(operator ? contract : {}),
      },
      { revision: site.revision },
    )
    form.setInitialValues(valuesOf(changed))
    form.setValues(valuesOf(changed))
    notifications.show({ message: common.saved, color: 'teal' })
  }
  const reread = async () => valuesOf(await call('readSite', { account, site_id }))
  const labels = {
    name: common.name,
    kind: t.kind,
    service_url: t.service_url,
    domains: t.domains,
    requests_per_window: t.requests_per_window,
    fixed_address_option: t.fixed_address_option,
  }

  return (
    <Section title={t.general}>
      <AdminForm form={form} submit={common.save} save={save} reread={reread} labels={labels} readonly={readonly}>
        <TextInput label={common.name} required maw={480} {...form.getInputProps('name')} />
        <Radio.Group label={t.kind} {...form.getInputProps('kind')}>
          <Stack gap="xs" mt={6}>
            <Radio value="development" label={common.kinds.development} description={sites.development_says} />
            <Radio value="production" label={common.kinds.production} description={sites.production_says} />
          </Stack>
        </Radio.Group>
        <TextInput
          label={t.service_url}
          placeholder="https://www.example.com/"
          maw={480}
          {...form.getInputProps('service_url')}
        />
        <Textarea
          label={t.domains}
          description={t.domains_hint}
          placeholder="www.example.com"
          autosize
          minRows={2}
          maxRows={10}
          maw={480}
          {...form.getInputProps('domains')}
        />
        <fieldset disabled={!operator} style={{ border: 'none', padding: 0, margin: 0 }}>
          <Stack gap="sm">
            <Text fw={600} component="legend" p={0}>
              {t.contract}{' '}
              <Text span size="sm" c="dimmed" fw={400}>
                {t.contract_about}
              </Text>
            </Text>
            <NumberInput
              label={t.requests_per_window}
              min={1}
              max={1_000_000_000}
              thousandSeparator=","
              allowDecimal={false}
              disabled={!operator}
              maw={320}
              {...form.getInputProps('requests_per_window')}
            />
            <Checkbox
              label={t.fixed_address_option}
              disabled={!operator}
              {...form.getInputProps('fixed_address_option', { type: 'checkbox' })}
            />
          </Stack>
        </fieldset>
      </AdminForm>
    </Section>
  )
}
