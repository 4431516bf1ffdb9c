import { mutate, useRead } from '../admin/queries.ts'
import type { AdminOutput } from '../admin/types.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Page, Section } from '../parts/page.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { useTexts } from '../texts/index.tsx'
import { InvitationTable } from './members/invitation-table.tsx'
import { TokenTable } from './members/token-table.tsx'
import { useValidators } from './validators.ts'

/** Operators, their invitations, and operator tokens. */
export function OperatorsPage() {
  const { operators: t, members, tokens } = useTexts('operators', 'members', 'tokens')
  const operatorQuery = useRead('listOperators', {})
  const tokenQuery = useRead('listOperatorTokens', {})
  return (
    <Page title={t.title} about={t.about} actions={<InviteOperator />}>
      <Loaded of={operatorQuery}>
        {({ operators, invitations }) => (
          <>
            <OperatorTable operators={operators} />
            <Section title={members.invitations}>
              <InvitationTable
                invitations={invitations}
                withdraw={(invitationId) => mutate('withdrawOperatorInvitation', { invitation_id: invitationId })}
              />
            </Section>
          </>
        )}
      </Loaded>
      <Section title={t.tokens} about={t.tokens_about} actions={<IssueOperatorToken />}>
        <Loaded of={tokenQuery}>
          {({ tokens: issued }) => (
            <TokenTable
              label={t.tokens}
              empty={tokens.empty}
              tokens={issued}
              revoke={(tokenId) => mutate('revokeOperatorToken', { token_id: tokenId })}
            />
          )}
        </Loaded>
      </Section>
    </Page>
  )
}

function OperatorTable({ operators }: Pick<AdminOutput<'listOperators'>, 'operators'>) {
  const { operators: t, members, common } = useTexts('operators', 'members')
  return (
    <DataTable
      label={t.title}
      keep="operators"
      rows={operators}
      name={({ member_id }) => member_id}
      empty={common.nothing}
      columns={[
        { title: common.name, value: ({ name }) => name },
        { title: members.passkeys, number: true, value: ({ passkeys }) => passkeys },
        { title: members.last_signed_in, time: (one) => one.last_signed_in_at, relative: true },
        {
          title: null,
          number: true,
          cell: ({ member_id, name }) => (
            <DangerButton
              label={common.remove}
              target={name}
              title={t.remove_title({ name })}
              warning={t.remove_warning}
              change={() => mutate('removeOperator', { member_id })}
            />
          ),
        },
      ]}
    />
  )
}

function InviteOperator() {
  const { operators: t, members } = useTexts('operators', 'members')
  return (
    <FormDialog
      label={t.invite}
      isAction
      initial={{ name: '' }}
      validate={{ name: useValidators().title }}
      fields={(form) => <NameField description={members.name_hint} {...form.getInputProps('name')} />}
      save={async (values) => {
        const { link } = await mutate('inviteOperator', values)
        return {
          title: members.invited,
          advice: members.invited_advice,
          values: [{ label: members.link, value: link }],
        }
      }}
    />
  )
}

function IssueOperatorToken() {
  const { tokens: t } = useTexts('tokens')
  return (
    <FormDialog
      label={t.issue}
      initial={{ name: '' }}
      validate={{ name: useValidators().title }}
      fields={(form) => <NameField description={t.name_hint} {...form.getInputProps('name')} />}
      save={async (values) => {
        const { token } = await mutate('issueOperatorToken', values)
        return { title: t.issued, advice: t.issued_advice, values: [{ label: t.token, value: token }] }
      }}
    />
  )
}
