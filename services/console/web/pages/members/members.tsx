import { Badge, Group } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { Member } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NameField } from '../../parts/name-field.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useValidators } from '../validators.ts'
import { AccountRolesChoice, type RoleValues, toAccountRoles } from './account-roles.tsx'
import { useFormatRoles } from './format-roles.ts'
import { InvitationTable } from './invitation-table.tsx'

/** Members of an account, and pending invitations. */
export function MembersPage({ account }: { account: string }) {
  const { members: t } = useTexts('members')
  const hasRole = useHasRole({ account })
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
  const formatRoles = useFormatRoles()
  const hasRole = useHasRole({ account })
  const me = useRead('readMe', {}).data?.member.member_id
  return (
    <DataTable
      label={t.title}
      keep="members"
      rows={members}
      name={({ member_id }) => member_id}
      empty={<EmptyList action={hasRole('owner') && t.invite}>{t.empty}</EmptyList>}
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
          value: (member) => formatRoles(findRoles(member)) ?? (member.operator ? t.operator : null),
        },
        { title: t.passkeys, number: true, value: ({ passkeys }) => passkeys },
        { title: t.last_signed_in, time: (member) => member.last_signed_in_at, relative: true },
        {
          title: null,
          number: true,
          cell: (member) => {
            if (!hasRole('owner') || member.roles.length === 0) return null
            const { member_id, name } = member
            return (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <ChangeRoles account={account} member={member} />
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
    <FormDialog<{ name: string; roles: RoleValues }>
      documented="member"
      label={t.invite}
      isAction
      initial={{ name: '', roles: { role: 'viewer', site_roles: {} } }}
      validate={{ name: useValidators().title }}
      fields={(form) => (
        <>
          <NameField description={t.name_hint} {...form.getInputProps('name')} />
          <AccountRolesChoice
            account={account}
            value={form.values.roles}
            onChange={(roles) => form.setFieldValue('roles', roles)}
          />
        </>
      )}
      save={async ({ name, roles }) => {
        const { link } = await mutate('inviteMember', { account, name, ...toAccountRoles(roles) })
        return { title: t.invited, advice: t.invited_advice, values: [{ label: t.link, value: link }] }
      }}
    />
  )
}

/** The roles of a member as listed for one account. */
function findRoles({ roles }: Member): RoleValues {
  const inSites = roles.flatMap(({ site_id, role }) => (site_id === null ? [] : [[site_id, role] as const]))
  return { role: roles.find(({ site_id }) => site_id === null)?.role ?? '', site_roles: Object.fromEntries(inSites) }
}

function ChangeRoles({ account, member }: { account: string; member: Member }) {
  const { members: t, common } = useTexts('members')
  return (
    <FormDialog<{ roles: RoleValues }>
      label={t.change}
      title={t.change_title({ name: member.name })}
      submit={common.save}
      button={{ variant: 'default', size: 'compact-sm', leftSection: null }}
      initial={{ roles: findRoles(member) }}
      fields={(form) => (
        <AccountRolesChoice
          account={account}
          value={form.values.roles}
          onChange={(roles) => form.setFieldValue('roles', roles)}
        />
      )}
      save={async ({ roles }) => {
        await mutate('changeMember', { account, member_id: member.member_id, ...toAccountRoles(roles) })
      }}
    />
  )
}
