import { Badge, Button, Group, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../admin/may.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { Member, Role } from '../../admin/types.ts'
import { AdminForm } from '../../parts/admin-form.tsx'
import { Danger } from '../../parts/danger.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { ToldOnce } from '../../parts/told-once.tsx'
import { useTexts } from '../../texts/index.tsx'
import { checks } from '../checks.ts'
import { RoleChoice } from './role-choice.tsx'

/** Who looks after an account, and who is invited to. */
export function Members({ account }: { account: string }) {
  const { members: t, common } = useTexts()
  const may = useMay(account)
  const me = useRead('readMe', {}).data?.member.member_id
  const query = useRead('listMembers', { account })
  const roleOf = (member: Member) => member.roles.find((one) => one.account === account)?.role
  return (
    <Page title={t.title} about={t.about} actions={may('owner') && <Invite account={account} />}>
      <Loaded of={query}>
        {({ members, invitations }) => (
          <>
            <Rows
              label={t.title}
              rows={members}
              name={({ member_id }) => member_id}
              empty={common.nothing}
              columns={[
                {
                  title: common.name,
                  cell: (member) => (
                    <Group gap="xs">
                      {member.name}
                      {member.member_id === me && <Badge variant="light">{t.you}</Badge>}
                    </Group>
                  ),
                },
                {
                  title: common.role,
                  cell: (member) => {
                    const role = roleOf(member)
                    return role ? common.roles[role] : member.operator ? t.operator : ''
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
                          title={t.remove_title(name)}
                          warning={t.remove_warning}
                          change={() => act('removeMember', { account, member_id })}
                        />
                      </Group>
                    )
                  },
                },
              ]}
            />
            <Section title={t.invitations}>
              <Rows
                label={t.invitations}
                rows={invitations}
                name={({ invitation_id }) => invitation_id}
                empty={t.no_invitations}
                columns={[
                  { title: common.name, cell: ({ name }) => name },
                  { title: common.role, cell: ({ role }) => common.roles[role] },
                  { title: t.until, cell: ({ expires_at }) => <Moment at={expires_at} /> },
                  {
                    title: null,
                    number: true,
                    cell: ({ invitation_id }) =>
                      may('owner') && (
                        <Danger
                          label={t.withdraw}
                          title={t.withdraw_title}
                          warning={t.withdraw_warning}
                          change={() => act('withdrawInvitation', { account, invitation_id })}
                        />
                      ),
                  },
                ]}
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Invite({ account }: { account: string }) {
  const { members: t, common } = useTexts()
  const [opened, dialog] = useDisclosure()
  const [link, setLink] = useState<string>()
  const form = useForm<{ name: string; role: Role }>({
    initialValues: { name: '', role: 'viewer' },
    validate: { name: checks(common.fields).title },
  })
  const save = async (values: { name: string; role: Role }) => {
    setLink((await act('inviteMember', { account, ...values })).link)
    form.reset()
    dialog.close()
  }
  return (
    <>
      <Button leftSection={<IconPlus size={18} />} onClick={dialog.open}>
        {t.invite}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={t.invite} centered>
        <AdminForm form={form} submit={t.invite} save={save} cancel={dialog.close}>
          <TextInput
            label={common.name}
            description={t.name_hint}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <RoleChoice {...form.getInputProps('role')} />
        </AdminForm>
      </Modal>
      {link !== undefined && (
        <ToldOnce
          title={t.invited}
          advice={t.invited_advice}
          values={[{ label: t.link, value: link }]}
          onClose={() => setLink(undefined)}
        />
      )}
    </>
  )
}

function ChangeRole({ account, member, role }: { account: string; member: Member; role: Role }) {
  const { members: t, common } = useTexts()
  const [opened, dialog] = useDisclosure()
  const form = useForm({ initialValues: { role } })
  const save = async (values: { role: Role }) => {
    await act('changeMember', { account, member_id: member.member_id, ...values })
    dialog.close()
  }
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={dialog.open}>
        {t.change}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={t.change_title(member.name)} centered>
        <AdminForm form={form} submit={common.save} save={save} cancel={dialog.close}>
          <RoleChoice {...form.getInputProps('role')} />
        </AdminForm>
      </Modal>
    </>
  )
}
