import type { AdminOutput } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useFormatRoles } from './format-roles.ts'

/** An invitation to an account with a role, or of an operator. */
type Invitation =
  | AdminOutput<'listMembers'>['invitations'][number]
  | AdminOutput<'listOperators'>['invitations'][number]

interface Props {
  readonly invitations: readonly Invitation[]
  /** Absent: the member is not allowed to withdraw invitations. */
  readonly withdraw?: ((invitationId: string) => Promise<unknown>) | undefined
}

/** Pending invitations. */
export function InvitationTable({ invitations, withdraw }: Props) {
  const { members: t, common } = useTexts('members')
  const formatRoles = useFormatRoles()
  const role = { title: common.role, cell: (one: Invitation) => 'role' in one && formatRoles(one) }
  return (
    <DataTable<Invitation>
      label={t.invitations}
      rows={invitations}
      name={({ invitation_id }) => invitation_id}
      empty={t.no_invitations}
      columns={[
        { title: common.name, value: ({ name }) => name },
        ...(invitations.some((one) => 'role' in one) ? [role] : []),
        { title: t.until, time: ({ expires_at }) => expires_at },
        {
          title: null,
          number: true,
          cell: ({ invitation_id, name }) =>
            withdraw && (
              <DangerButton
                label={t.withdraw}
                target={name}
                title={t.withdraw_title}
                warning={t.withdraw_warning}
                change={() => withdraw(invitation_id)}
              />
            ),
        },
      ]}
    />
  )
}
