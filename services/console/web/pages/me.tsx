import { Alert, Badge, Group, List } from '@mantine/core'
import { confirmed } from '../admin/confirmation.tsx'
import { act, queryClient, useRead } from '../admin/queries.ts'
import { addPasskey } from '../admin/sign-in.ts'
import { Danger } from '../parts/danger.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { useTexts } from '../texts/index.tsx'
import { browserName } from './browser-name.ts'
import { useChecks } from './checks.ts'

/** One's own passkeys, sessions and roles. */
export function Me() {
  const { me: t, common } = useTexts()
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
                <Rows
                  label={t.passkeys}
                  rows={passkeys}
                  name={({ passkey_id }) => passkey_id}
                  empty={common.nothing}
                  columns={[
                    { title: common.name, cell: ({ name }) => name },
                    { title: common.created, cell: ({ created_at }) => <Moment at={created_at} /> },
                    { title: common.last_used, cell: ({ last_used_at }) => <Moment at={last_used_at} relative /> },
                    {
                      title: null,
                      number: true,
                      cell: ({ passkey_id, name }) => (
                        <Danger
                          label={common.remove}
                          of={name}
                          title={t.remove_passkey_title}
                          warning={t.remove_passkey_warning({ name })}
                          change={() => act('removePasskey', { passkey_id })}
                        />
                      ),
                    },
                  ]}
                />
              )}
            </Section>
            <Section title={t.sessions} about={t.sessions_about}>
              <Rows
                label={t.sessions}
                rows={sessions}
                name={({ session_id }) => session_id}
                empty={common.nothing}
                columns={[
                  {
                    title: t.browser,
                    cell: ({ browser, current }) => (
                      <Group gap="xs">
                        <span title={browser}>{browserName(browser)}</span>
                        {current && <Badge variant="light">{t.this_one}</Badge>}
                      </Group>
                    ),
                  },
                  { title: t.began, cell: ({ began_at }) => <Moment at={began_at} /> },
                  { title: t.last_seen, cell: ({ last_seen_at }) => <Moment at={last_seen_at} relative /> },
                  {
                    title: null,
                    number: true,
                    cell: ({ session_id }) => (
                      <Danger
                        label={t.end}
                        title={t.end_title}
                        warning={t.end_warning}
                        change={() => act('endSession', { session_id })}
                      />
                    ),
                  },
                ]}
              />
            </Section>
            <Section title={t.roles}>
              <List>
                {member.operator && <List.Item>{t.operator}</List.Item>}
                {member.roles.map(({ account, role }) => (
                  <List.Item key={account}>
                    {account}: {common.roles[role]}
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
  const { me: t, sign_in } = useTexts()
  return (
    <FormDialog
      label={t.add_passkey}
      button={{ variant: 'default' }}
      initial={{ name: '' }}
      validate={{ name: useChecks().title }}
      fields={(form) => (
        <NameField
          label={sign_in.passkey_name}
          description={sign_in.passkey_name_hint}
          {...form.getInputProps('name')}
        />
      )}
      save={async (values) => {
        await confirmed(() => addPasskey(values))
        await queryClient.invalidateQueries()
      }}
    />
  )
}
