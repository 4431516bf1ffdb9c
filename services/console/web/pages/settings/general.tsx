import { NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { useIsOperator } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { Site } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { NameField } from '../../parts/name-field.tsx'
import { Section } from '../../parts/page.tsx'
import { CheckField, useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { KindChoice } from '../kind-choice.tsx'
import { splitLines, useValidators } from '../validators.ts'

const maxRequests = 1_000_000_000
const maxDays = 3_650

interface Values extends Record<string, unknown> {
  name: string
  kind: Site['kind']
  domains: string
  /** Empty: error pages have no link. */
  start_url: string
  /** Empty: as long as the user exists. */
  login_history_days: number | string
  profile_in_events: boolean
  users_may_be_stale: boolean
  requests_per_window: number | string
  fixed_address_option: boolean
}

function toVersion(site: Site): { values: Values; revision: number } {
  const { name, kind, domains, profile_in_events, users_may_be_stale, revision } = site
  const { requests_per_window, fixed_address_option } = site
  const loginHistoryDays = site.login_history_days ?? ''
  return {
    values: {
      name,
      kind,
      domains: domains.join('\n'),
      start_url: site.start_url ?? '',
      login_history_days: loginHistoryDays,
      profile_in_events,
      users_may_be_stale,
      requests_per_window,
      fixed_address_option,
    },
    revision,
  }
}

/** General settings, and the settings that only operators can change. */
export function GeneralSettings({ site, readonly }: { site: Site; readonly: boolean }) {
  const { settings: t, common } = useTexts('settings')
  const isOperator = useIsOperator()
  const { account, site_id } = site
  const check = useValidators()
  const form = useDocumentedForm<Values>('site', {
    initialValues: toVersion(site).values,
    validate: {
      name: check.title,
      requests_per_window: check.whole(1, maxRequests),
      login_history_days: (days) => (days === '' ? null : check.whole(1, maxDays)(days)),
    },
  })

  const save = async (values: Values, revision: number) => {
    const { name, kind, domains, start_url, profile_in_events, users_may_be_stale } = values
    const operatorFields = {
      requests_per_window: Number(values.requests_per_window),
      fixed_address_option: values.fixed_address_option,
    }
    const changed = await mutate(
      'changeSite',
      {
        account,
        site_id,
        name,
        kind,
        domains: splitLines(domains),
        start_url: start_url.trim() === '' ? null : start_url.trim(),
        login_history_days: values.login_history_days === '' ? null : Number(values.login_history_days),
        profile_in_events,
        users_may_be_stale,
        ...(isOperator ? operatorFields : {}),
      },
      { revision },
    )
    return toVersion(changed)
  }
  const labels = {
    name: common.name,
    kind: t.kind,
    domains: t.domains,
    start_url: t.start_url,
    login_history_days: t.login_history_days,
    profile_in_events: t.profile_in_events,
    users_may_be_stale: t.users_may_be_stale,
    requests_per_window: t.requests_per_window,
    fixed_address_option: t.fixed_address_option,
  }

  return (
    <Section title={t.headings.general}>
      <ChangeForm
        form={form}
        save={save}
        revision={site.revision}
        reread={async () => toVersion(await call('readSite', { account, site_id }))}
        labels={labels}
        readonly={readonly}
        // Shorter histories are deleted.
        canUndo={(before, after) => before.login_history_days === after.login_history_days}
      >
        <NameField maw={480} data-autofocus={undefined} {...form.getInputProps('name')} />
        <KindChoice {...form.getInputProps('kind')} />
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
        <TextInput
          label={t.start_url}
          description={t.start_url_hint}
          placeholder="https://www.example.com/login"
          type="url"
          maw={480}
          {...form.getInputProps('start_url')}
        />
        <NumberInput
          label={t.login_history_days}
          description={t.login_history_days_hint}
          min={1}
          max={maxDays}
          allowDecimal={false}
          maw={320}
          {...form.getInputProps('login_history_days')}
        />
        <CheckField
          label={t.profile_in_events}
          description={t.profile_in_events_hint}
          disabled={readonly}
          {...form.getInputProps('profile_in_events', { type: 'checkbox' })}
        />
        <CheckField
          label={t.users_may_be_stale}
          description={t.users_may_be_stale_hint}
          disabled={readonly}
          {...form.getInputProps('users_may_be_stale', { type: 'checkbox' })}
        />
        <fieldset disabled={!isOperator} style={{ border: 'none', padding: 0, margin: 0 }}>
          <Stack gap="sm">
            <Text fw={600} component="legend" p={0}>
              {t.operator_settings}{' '}
              <Text span size="sm" c="dimmed" fw={400}>
                {t.operator_settings_about}
              </Text>
            </Text>
            <NumberInput
              label={t.requests_per_window}
              min={1}
              max={maxRequests}
              thousandSeparator=","
              allowDecimal={false}
              disabled={!isOperator}
              maw={320}
              {...form.getInputProps('requests_per_window')}
            />
            <CheckField
              label={t.fixed_address_option}
              disabled={!isOperator}
              {...form.getInputProps('fixed_address_option', { type: 'checkbox' })}
            />
          </Stack>
        </fieldset>
      </ChangeForm>
    </Section>
  )
}
