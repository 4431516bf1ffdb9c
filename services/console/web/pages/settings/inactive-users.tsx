import { Alert, NumberInput } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { CheckField, useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useValidators } from '../validators.ts'

type InactivityRule = AdminOutput<'readInactivityRule'>

const leastDays = 30
const mostDays = 3_650
const mostNoticeDays = 90

interface Values extends Record<string, unknown> {
  /** Empty: users are not deleted. */
  delete_after_days: number | string
  notice_days: number | string
  include_mapped: boolean
}

/** When users who no longer log in are deleted. */
export function InactiveUsers({ site: { account, site_id } }: { site: SiteReference }) {
  const { settings: t } = useTexts('settings')
  const site = { account, site_id }
  const query = useRead('readInactivityRule', site)
  return (
    <Section title={t.headings.inactive_users} about={t.inactive_users_about}>
      <Loaded of={query}>{(rule) => <RuleForm site={site} rule={rule} />}</Loaded>
    </Section>
  )
}

function RuleForm({ site, rule }: { site: SiteReference; rule: InactivityRule }) {
  const { settings: t } = useTexts('settings')
  const isReadonly = !useHasRole(site)('owner')
  const check = useValidators()
  const form = useDocumentedForm<Values>('inactivity_rule', {
    initialValues: toValues(rule),
    validate: {
      delete_after_days: (days) => (days === '' ? null : check.whole(leastDays, mostDays)(days)),
      notice_days: (days, { delete_after_days: after }) =>
        check.whole(1, after === '' ? mostNoticeDays : Math.min(mostNoticeDays, Number(after) - 1))(days),
    },
  })
  const labels = {
    delete_after_days: t.delete_after_days,
    notice_days: t.notice_days,
    include_mapped: t.include_mapped,
  }
  return (
    <ChangeForm
      form={form}
      labels={labels}
      readonly={isReadonly}
      revision={rule.revision}
      reread={async () => toVersion(await call('readInactivityRule', site))}
      save={async (values, revision) =>
        toVersion(await mutate('changeInactivityRule', { ...site, ...toSettings(values) }, { revision }))
      }
      listConsequences={(before, after) => (isStricter(before, after) ? [t.inactive_users_warning] : [])}
    >
      <NumberInput
        label={labels.delete_after_days}
        description={t.delete_after_days_hint}
        min={leastDays}
        max={mostDays}
        allowDecimal={false}
        disabled={isReadonly}
        maw={320}
        {...form.getInputProps('delete_after_days')}
      />
      <NumberInput
        label={labels.notice_days}
        description={t.notice_days_hint}
        min={1}
        max={mostNoticeDays}
        allowDecimal={false}
        disabled={isReadonly}
        maw={320}
        {...form.getInputProps('notice_days')}
      />
      <CheckField
        label={labels.include_mapped}
        description={t.include_mapped_hint}
        disabled={isReadonly}
        {...form.getInputProps('include_mapped', { type: 'checkbox' })}
      />
      <Preview site={site} values={form.values} isDirty={form.isDirty()} />
    </ChangeForm>
  )
}

/** How many users the rule would announce the deletion of today, as it is in the form. */
function Preview({ site, values, isDirty }: { site: SiteReference; values: Values; isDirty: boolean }) {
  const { settings: t } = useTexts('settings')
  const settings = toSettings(values)
  const { delete_after_days: after, notice_days: notice } = settings
  const isValid =
    after !== null && isWithin(after, leastDays, mostDays) && isWithin(notice, 1, Math.min(mostNoticeDays, after - 1))
  const { data } = useRead('previewInactivityRule', { ...site, ...settings }, { enabled: isValid, keepPrevious: true })
  if (!isValid || data === undefined) return null
  const { users, complete } = data
  return (
    <Alert color={isDirty && users > 0 ? 'red' : 'gray'} role="status">
      {complete ? t.inactive_count({ users }) : t.inactive_count_at_least({ users })}
    </Alert>
  )
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most
}

/** Whether more users can be deleted. */
function isStricter(before: Values, after: Values): boolean {
  const [earlier, later] = [toSettings(before), toSettings(after)]
  if (later.delete_after_days === null) return false
  if (earlier.delete_after_days === null || later.delete_after_days < earlier.delete_after_days) return true
  return later.include_mapped && !earlier.include_mapped
}

function toValues({ delete_after_days, notice_days, include_mapped }: InactivityRule): Values {
  return { delete_after_days: delete_after_days ?? '', notice_days, include_mapped }
}

function toSettings({ delete_after_days, notice_days, include_mapped }: Values) {
  return {
    delete_after_days: delete_after_days === '' ? null : Number(delete_after_days),
    notice_days: Number(notice_days),
    include_mapped,
  }
}

const toVersion = (rule: InactivityRule) => ({ values: toValues(rule), revision: rule.revision })
