import { NumberInput } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { SiteAccountPage, SiteReference } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Section } from '../../parts/page.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'

/** Empty: end users cannot delete themselves. */
type Values = { deletion_waiting_days: number | '' }

/** Whether end users can delete themselves, and how long they wait. */
export function DeletionForm({ site, page }: { site: SiteReference; page: SiteAccountPage }) {
  const { account_page: t } = useTexts('account_page')
  const hasRole = useHasRole(site)
  const form = useDocumentedForm<Values>('account_page', { initialValues: toValues(page) })
  const isReadonly = !hasRole('editor')
  return (
    <Section title={t.deletion} about={t.deletion_about}>
      <ChangeForm
        form={form}
        labels={{ deletion_waiting_days: t.deletion_waiting_days }}
        readonly={isReadonly}
        revision={page.revision}
        reread={async () => toVersion(await call('readAccountPage', site))}
        save={async ({ deletion_waiting_days: days }, revision) => {
          const settings = { enabled: true, deletion_waiting_days: days === '' ? null : days }
          return toVersion(await mutate('changeAccountPage', { ...site, ...settings }, { revision }))
        }}
      >
        <NumberInput
          label={t.deletion_waiting_days}
          description={t.deletion_hint}
          min={0}
          max={90}
          allowDecimal={false}
          maw={320}
          disabled={isReadonly}
          {...form.getInputProps('deletion_waiting_days')}
        />
      </ChangeForm>
    </Section>
  )
}

function toValues({ deletion_waiting_days: days }: SiteAccountPage): Values {
  return { deletion_waiting_days: days ?? '' }
}

const toVersion = (page: SiteAccountPage) => ({ values: toValues(page), revision: page.revision })
