import { Badge, Group } from '@mantine/core'
import { useMay } from '../../admin/may.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { Member, Role } from '../../admin/types.ts'
import { Danger } from '../../parts/danger.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { NameField } from '../../parts/name-field.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useChecks } from '../checks.ts'
import { InvitationTable } from './invitation-table.tsx'
import { RoleChoice } from './role-choice.tsx'

/** Who looks after an account, and who is invited to. */
export function Members({ account }: { account: string }) {
  const { members: t } = useTexts()
  const may = useMay(account)
  const query = useRead('listMembers', { account })
  const withdraw = (invitationId: string) => act('withdrawInvitation', { account, invitation_id: invitationId })
  return (
    <Page title={t.title} about={t.about} actions={may('owner') && <Invite account={account} />}>
      <Loaded of={query}>
        {({ members, invitations }) => (
          <>
            <MemberTable account={account} members={members} />
            <Section title={t.invitations}>
              <InvitationTable invitations={invitations} withdraw={may('owner') ? withdraw : undefined} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function MemberTable({ account, members }: { account: string; members: readonly Member[] }) {
  const { members: t, common } = useTexts()
  const may = useMay(account)
  const me = useRead('readMe', {}).data?.member.member_id
  const roleOf = (member: Member) => member.roles.find((one) => one.account === account)?.role
  return (
    <Rows
      label={t.title}
      rows={members}
      name={({ member_id }) => member_id}
      empty={common.nothing}
      columns={[
        {
          title: common.name,
          cell: ({ name, member_id }) => (
            <Group gap="xs">
              {name}
              {member_id === me && <Badge variant="light">{t.you}</Badge>}
            </Group>
          ),
        },
        {
          title: common.role,
          cell: (member) => {
            const role = roleOf(member)
            return role ? common.roles[role] : member.operator && t.operator
          },
        },
        { title: t.passkeys, number: true, cell: ({ passkeys }) => passkeys },
        { title: t.last_signed_in, cell: (member) => <Moment at={member.last_signed_in_at} relative /> },
        {
          title: null,
          number: true,
          cell: (member) => {
            const role = roleOf(member)
            if (!may('owner') || role === undefined) return null
            const { member_id, name } = member
            return (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <ChangeRole account={account} member={member} role={role} />
                <Danger
                  label={common.remove}
                  of={name}
                  title={t.remove_title({ name })}
                  warning={t.remove_warning}
                  change={() => act('removeMember', { account, member_id })}
                />
              </Group>
            )
          },
        },
      ]}
    />
  )
}

function Invite({ account }: { account: string }) {
  const { members: t } = useTexts()
  return (
    <FormDialog<{ name: string; role: Role }>
      label={t.invite}
      initial={{ name: '', role: 'viewer' }}
      validate={{ name: useChecks().title }}
      fields={(form) => (
        <>
          <NameField description={t.name_hint} {...form.getInputProps('name')} />
          <RoleChoice {...form.getInputProps('role')} />
        </>
      )}
      save={async (values) => {
        const { link } = await act('inviteMember', { account, ...values })
        return { title: t.invited, advice: t.invited_advice, values: [{ label: t.link, value: link }] }
      }}
    />
  )
}

function ChangeRole({ account, member, role }: { account: string; member: Member; role: Role }) {
  const { members: t, common } = useTexts()
  return (
    <FormDialog<{ role: Role }>
      label={t.change}
      title={t.change_title({ name: member.name })}
      submit={common.save}
      button={{ variant: 'default', size: 'compact-sm', leftSection: null }}
      initial={{ role }}
      fields={(form) => <RoleChoice {...form.getInputProps('role')} />}
      save={async (values) => {
        await act('changeMember', { account, member_id: member.member_id, ...values })
      }}
    />
  )
}
