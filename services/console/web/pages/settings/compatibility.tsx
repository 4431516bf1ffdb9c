import { Checkbox, Stack } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { mutate } from '../../admin/queries.ts'
import type { Site } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Section } from '../../parts/page.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'

type Values = Pick<Site, 'compatibility'>

const options = ['short_errors', 'token_errors_400', 'userinfo_unauthorized', 'hex_one_time_tokens'] as const

function toVersion({ compatibility, revision }: Site): { values: Values; revision: number } {
  return { values: { compatibility }, revision }
}

/** Responses that equal those of the service that the site was migrated from. */
export function Compatibility({ site, readonly }: { site: Site; readonly: boolean }) {
  const { settings: t } = useTexts('settings')
  const { account, site_id } = site
  const form = useDocumentedForm<Values>('site', { initialValues: toVersion(site).values })
  return (
    <Section title={t.headings.compatibility} about={t.compatibility_about}>
      <ChangeForm
        form={form}
        save={async (values, revision) =>
          toVersion(await mutate('changeSite', { account, site_id, ...values }, { revision }))
        }
        revision={site.revision}
        reread={async () => toVersion(await call('readSite', { account, site_id }))}
        labels={{ compatibility: t.headings.compatibility }}
        readonly={readonly}
      >
        <Checkbox.Group aria-label={t.headings.compatibility} {...form.getInputProps('compatibility')}>
          <Stack gap="xs">
            {options.map((option) => (
              <Checkbox key={option} value={option} label={t.compatibility_options[option]} disabled={readonly} />
            ))}
          </Stack>
        </Checkbox.Group>
      </ChangeForm>
    </Section>
  )
}
