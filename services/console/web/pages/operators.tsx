import { Button, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { act, useRead } from '../admin/queries.ts'
import { AdminForm } from '../parts/admin-form.tsx'
import { Danger } from '../parts/danger.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { ToldOnce } from '../parts/told-once.tsx'
import { useTexts } from '../texts/index.tsx'
import { checks } from './checks.ts'

/** Who runs the service, and the tokens that may do as much. */
export function Operators() {
  const { operators: t, members, tokens, common } = useTexts()
  const people = useRead('listOperators', {})
  const programs = useRead('listOperatorTokens', {})
  const invite = async (name: string) => (await act('inviteOperator', { name })).link
  const issue = async (name: string) => (await act('issueOperatorToken', { name })).token
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <MakeByName
          label={t.invite}
          hint={members.name_hint}
          make={invite}
          told={{ title: members.invited, advice: members.invited_advice, label: members.link }}
        />
      }
    >
      <Loaded of={people}>
        {({ operators, invitations }) => (
          <>
            <Rows
              label={t.title}
              rows={operators}
              name={({ member_id }) => member_id}
              empty={common.nothing}
              columns={[
                { title: common.name, cell: ({ name }) => name },
                { title: members.passkeys, number: true, cell: ({ passkeys }) => passkeys },
                { title: members.last_signed_in, cell: (one) => <Moment at={one.last_signed_in_at} relative /> },
                {
                  title: null,
                  number: true,
                  cell: ({ member_id, name }) => (
                    <Danger
                      label={common.remove}
                      title={t.remove_title(name)}
                      warning={t.remove_warning}
                      change={() => act('removeOperator', { member_id })}
                    />
                  ),
                },
              ]}
            />
            <Section title={members.invitations}>
              <Rows
                label={members.invitations}
                rows={invitations}
                name={({ invitation_id }) => invitation_id}
                empty={members.no_invitations}
                columns={[
                  { title: common.name, cell: ({ name }) => name },
                  { title: members.until, cell: ({ expires_at }) => <Moment at={expires_at} /> },
                  {
                    title: null,
                    number: true,
                    cell: ({ invitation_id }) => (
                      <Danger
                        label={members.withdraw}
                        title={members.withdraw_title}
                        warning={members.withdraw_warning}
                        change={() => act('withdrawOperatorInvitation', { invitation_id })}
                      />
                    ),
                  },
                ]}
              />
            </Section>
          </>
        )}
      </Loaded>
      <Section
        title={t.tokens}
        about={t.tokens_about}
        actions={
          <MakeByName
            label={tokens.issue}
            hint={tokens.name_hint}
            make={issue}
            told={{ title: tokens.issued, advice: tokens.issued_advice, label: tokens.token }}
          />
        }
      >
        <Loaded of={programs}>
          {({ tokens: issued }) => (
            <Rows
              label={t.tokens}
              rows={issued}
              name={({ token_id }) => token_id}
              empty={tokens.empty}
              columns={[
                { title: common.name, cell: ({ name }) => name },
                { title: common.created, cell: ({ created_at }) => <Moment at={created_at} /> },
                { title: tokens.ends, cell: ({ expires_at }) => <Moment at={expires_at} relative /> },
                { title: common.last_used, cell: ({ last_used_at }) => <Moment at={last_used_at} relative /> },
                {
                  title: null,
                  number: true,
                  cell: ({ token_id, name }) => (
                    <Danger
                      label={tokens.revoke}
                      title={tokens.revoke_title(name)}
                      warning={tokens.revoke_warning}
                      change={() => act('revokeOperatorToken', { token_id })}
                    />
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Section>
    </Page>
  )
}

interface MakeByNameProps {
  readonly label: string
  readonly hint: string
  /** Gives what is told once. */
  readonly make: (name: string) => Promise<string>
  readonly told: { readonly title: string; readonly advice: string; readonly label: string }
}

/** A button for what needs but a name, and is then told once. */
function MakeByName({ label, hint, make, told }: MakeByNameProps) {
  const { common } = useTexts()
  const [opened, dialog] = useDisclosure()
  const [secret, setSecret] = useState<string>()
  const form = useForm({ initialValues: { name: '' }, validate: { name: checks(common.fields).title } })
  const save = async ({ name }: { name: string }) => {
    setSecret(await make(name))
    form.reset()
    dialog.close()
  }
  return (
    <>
      <Button leftSection={<IconPlus size={18} />} onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={label} centered>
        <AdminForm form={form} submit={label} save={save} cancel={dialog.close}>
          <TextInput label={common.name} description={hint} required data-autofocus {...form.getInputProps('name')} />
        </AdminForm>
      </Modal>
      {secret !== undefined && (
        <ToldOnce
          title={told.title}
          advice={told.advice}
          values={[{ label: told.label, value: secret }]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}
