import { Badge, Group } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { Member, Role } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NameField } from '../../parts/name-field.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useValidators } from '../validators.ts'
import { InvitationTable } from './invitation-table.tsx'
import { RoleChoice } from './role-choice.tsx'

/** Members of an account, and pending invitations. */
export function MembersPage({ account }: { account: string }) {
  const { members: t } = useTexts('members')
  const hasRole = useHasRole(account)
  const query = useRead('listMembers', { account })
  const withdraw = (invitationId: string) => mutate('withdrawInvitation', { account, invitation_id: invitationId })
  return (
    <Page title={t.title} about={t.about} actions={hasRole('owner') && <InviteMember account={account} />}>
      <Loaded of={query}>
        {({ members, invitations }) => (
          <>
            <MemberTable account={account} members={members} />
            <Section title={t.invitations}>
              <InvitationTable invitations={invitations} withdraw={hasRole('owner') ? withdraw : undefined} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function MemberTable({ account, members }: { account: string; members: readonly Member[] }) {
  const { members: t, common } = useTexts('members')
  const hasRole = useHasRole(account)
  const me = useRead('readMe', {}).data?.member.member_id
  const findRole = (member: Member) => member.roles.find((one) => one.account === account)?.role
  return (
    <DataTable
      label={t.title}
      keep="members"
      rows={members}
      name={({ member_id }) => member_id}
      empty={t.empty}
      columns={[
        {
          title: common.name,
          value: ({ name }) => name,
          cell: ({ name, member_id }) => (
            <Group gap="xs">
              {name}
              {member_id === me && <Badge variant="light">{t.you}</Badge>}
            </Group>
          ),
        },
        {
          title: common.role,
          value: (member) => {
            const role = findRole(member)
            if (role) return common.roles[role]
            return member.operator ? t.operator : null
          },
        },
        { title: t.passkeys, number: true, value: ({ passkeys }) => passkeys },
        { title: t.last_signed_in, time: (member) => member.last_signed_in_at, relative: true },
        {
          title: null,
          number: true,
          cell: (member) => {
            const role = findRole(member)
            if (!hasRole('owner') || role === undefined) return null
            const { member_id, name } = member
            return (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <ChangeRole account={account} member={member} role={role} />
                <DangerButton
                  label={common.remove}
                  target={name}
                  title={t.remove_title({ name })}
                  warning={t.remove_warning}
                  change={() => mutate('removeMember', { account, member_id })}
                />
              </Group>
            )
          },
        },
      ]}
    />
  )
}

function InviteMember({ account }: { account: string }) {
  const { members: t } = useTexts('members')
  return (
    <FormDialog<{ name: string; role: Role }>
      documented="member"
      label={t.invite}
      isAction
      initial={{ name: '', role: 'viewer' }}
      validate={{ name: useValidators().title }}
      fields={(form) => (
        <>
          <NameField description={t.name_hint} {...form.getInputProps('name')} />
          <RoleChoice {...form.getInputProps('role')} />
        </>
      )}
      save={async (values) => {
        const { link } = await mutate('inviteMember', { account, ...values })
        return { title: t.invited, advice: t.invited_advice, values: [{ label: t.link, value: link }] }
      }}
    />
  )
}

function ChangeRole({ account, member, role }: { account: string; member: Member; role: Role }) {
  const { members: t, common } = useTexts('members')
  return (
    <FormDialog<{ role: Role }>
      label={t.change}
      title={t.change_title({ name: member.name })}
      submit={common.save}
      button={{ variant: 'default', size: 'compact-sm', leftSection: null }}
      initial={{ role }}
      fields={(form) => <RoleChoice {...form.getInputProps('role')} />}
      save={async (values) => {
        await mutate('changeMember', { account, member_id: member.member_id, ...values })
      }}
    />
  )
}
