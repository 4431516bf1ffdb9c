import { Alert, Badge, Group, List } from '@mantine/core'
import { withConfirmation } from '../admin/confirmation-dialog.tsx'
import { mutate, queryClient, useRead } from '../admin/queries.ts'
import { addPasskey } from '../admin/sign-in.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Page, Section } from '../parts/page.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { useTexts } from '../texts/index.tsx'
import { formatBrowser } from './format-browser.ts'
import { useValidators } from './validators.ts'

/** Passkeys, sessions and roles of the signed-in member. */
export function MePage() {
  const { me: t, common } = useTexts('me')
  const query = useRead('readMe', {})
  return (
    <Page title={t.title}>
      <Loaded of={query}>
        {({ member, passkeys, provider, sessions }) => (
          <>
            <Section title={t.passkeys} about={t.passkeys_about} actions={<AddPasskey />}>
              {passkeys.length === 0 && provider === null && <Alert color="yellow">{t.no_passkey}</Alert>}
              {provider !== null && <Alert>{t.at_provider({ provider })}</Alert>}
              {passkeys.length > 0 && (
                <DataTable
                  label={t.passkeys}
                  rows={passkeys}
                  name={({ passkey_id }) => passkey_id}
                  empty={common.nothing}
                  columns={[
                    { title: common.name, value: ({ name }) => name },
                    { title: common.created, time: ({ created_at }) => created_at },
                    { title: common.last_used, time: ({ last_used_at }) => last_used_at, relative: true },
                    {
                      title: null,
                      number: true,
                      cell: ({ passkey_id, name }) => (
                        <DangerButton
                          label={common.remove}
                          target={name}
                          title={t.remove_passkey_title}
                          warning={t.remove_passkey_warning({ name })}
                          change={() => mutate('removePasskey', { passkey_id })}
                        />
                      ),
                    },
                  ]}
                />
              )}
            </Section>
            <Section title={t.sessions} about={t.sessions_about}>
              <DataTable
                label={t.sessions}
                rows={sessions}
                name={({ session_id }) => session_id}
                empty={common.nothing}
                columns={[
                  {
                    title: t.browser,
                    cell: ({ browser, current }) => (
                      <Group gap="xs">
                        <span title={browser}>{formatBrowser(browser)}</span>
                        {current && <Badge variant="light">{t.this_one}</Badge>}
                      </Group>
                    ),
                  },
                  { title: t.began, time: ({ started_at }) => started_at },
                  { title: t.last_seen, time: ({ last_seen_at }) => last_seen_at, relative: true },
                  {
                    title: null,
                    number: true,
                    cell: ({ session_id }) => (
                      <DangerButton
                        label={t.end}
                        title={t.end_title}
                        warning={t.end_warning}
                        change={() => mutate('endSession', { session_id })}
                      />
                    ),
                  },
                ]}
              />
            </Section>
            <Section title={t.roles}>
              <List>
                {member.operator && <List.Item>{t.operator}</List.Item>}
                {member.roles.map(({ account, site_id, role }) => (
                  <List.Item key={`${account}/${site_id}`}>
                    {site_id === null ? account : `${account}/${site_id}`}: {common.roles[role]}
                  </List.Item>
                ))}
              </List>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function AddPasskey() {
  const { me: t, sign_in } = useTexts('me')
  return (
    <FormDialog
      label={t.add_passkey}
      button={{ variant: 'default' }}
      initial={{ name: '' }}
      validate={{ name: useValidators().title }}
      fields={(form) => (
        <NameField
          label={sign_in.passkey_name}
          description={sign_in.passkey_name_hint}
          {...form.getInputProps('name')}
        />
      )}
      save={async (values) => {
        await withConfirmation(() => addPasskey(values))
        await queryClient.invalidateQueries()
      }}
    />
  )
}
