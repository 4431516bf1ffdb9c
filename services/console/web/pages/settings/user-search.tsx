import { Alert, Checkbox, Loader, Stack } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'

type UserSearch = AdminOutput<'readUserSearch'>

const refreshMs = 2_000
const fields = ['email', 'phone_number', 'name'] as const

type Values = Pick<UserSearch, 'fields'>

function toVersion({ fields: chosen, revision }: UserSearch): { values: Values; revision: number } {
  return { values: { fields: chosen }, revision }
}

/** By which fields of profiles users can be found. */
export function UserSearchSettings({ site, readonly }: { site: SiteReference; readonly: boolean }) {
  const { settings: t } = useTexts('settings')
  const query = useRead('readUserSearch', site, { intervalMs: (read) => (read?.indexing ? refreshMs : false) })
  return (
    <Section title={t.headings.user_search} about={t.user_search_about}>
      <Loaded of={query}>
        {(search) => (
          <>
            {search.indexing !== null && (
              <Alert color="gray" icon={<Loader size="xs" />} role="status">
                {search.fields.length === 0
                  ? t.user_search_clearing
                  : t.user_search_progress({
                      users: search.indexing.users_indexed,
                      total: search.indexing.users_total,
                    })}
              </Alert>
            )}
            <UserSearchForm site={site} search={search} readonly={readonly} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

function UserSearchForm({ site, search, readonly }: { site: SiteReference; search: UserSearch; readonly: boolean }) {
  const { settings: t } = useTexts('settings')
  const { account, site_id } = site
  const form = useDocumentedForm<Values>('user_search', { initialValues: toVersion(search).values })
  return (
    <ChangeForm
      form={form}
      save={async (values, revision) =>
        toVersion(await mutate('changeUserSearch', { account, site_id, ...values }, { revision }))
      }
      revision={search.revision}
      reread={async () => toVersion(await call('readUserSearch', { account, site_id }))}
      labels={{ fields: t.headings.user_search }}
      readonly={readonly}
    >
      <Checkbox.Group aria-label={t.headings.user_search} {...form.getInputProps('fields')}>
        <Stack gap="xs">
          {fields.map((field) => (
            <Checkbox key={field} value={field} label={t.user_search_fields[field]} disabled={readonly} />
          ))}
        </Stack>
      </Checkbox.Group>
    </ChangeForm>
  )
}
