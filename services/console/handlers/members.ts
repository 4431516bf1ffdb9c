import type { Knex } from 'knex'
import { createReason, type memberProcedures, type Role, roles } from '#admin-api'
import { transaction } from '#database'
import { toTimestamp } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { buildInvitationLink, deleteInvitation, insertInvitation, listInvitations } from '../store/invitations.ts'
import { deleteRole, findMember, listMembersOf, lockRolesOf, upsertRole } from '../store/members.ts'
import { deleteSessionsOf } from '../store/sessions.ts'
import { deleteTokensIssuedBy } from '../store/tokens.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { requireAccount } from './resolve-account.ts'
import { toMember } from './to-member.ts'

export const memberHandlers = {
  async listMembers({ account }, { knex, now }) {
    const [found, invited] = await Promise.all([
      listMembersOf(knex, account),
      listInvitations(knex, { account, now: now() }),
    ])
    return {
      // Do not show a member's roles in other accounts.
      members: found.map((member) => toMember(member, account)),
      invitations: invited.map(({ invitation_id, name, role, expires_at }) => ({
        invitation_id,
        name,
        role,
        expires_at: toTimestamp(expires_at),
      })),
    }
  },

  async inviteMember({ account, name, role }, deps, actor) {
    const { knex, now, consoleUrl } = deps
    await requireAccount(account, deps, actor)
    const invitation = await transaction(knex, async (trx) => {
      const inserted = await insertInvitation(trx, { name, of: { account, role }, now: now() })
      await actor.auditIn(trx, null, { invitation_id: inserted.invitation_id, name, role })
      return inserted
    })
    return {
      invitation_id: invitation.invitation_id,
      link: buildInvitationLink(consoleUrl, invitation.token),
      expires_at: toTimestamp(invitation.expires_at),
    }
  },

  async withdrawInvitation(invitation, { knex }, actor) {
    await transaction(knex, async (trx) => {
      const withdrawn = await deleteInvitation(trx, invitation)
      if (withdrawn === undefined) throw new AdminFault('not_found')
      const { invitation_id, name, role } = withdrawn
      await actor.auditIn(trx, { invitation_id, name, role }, null)
    })
    return {}
  },

  async changeMember({ account, member_id, role }, { knex }, actor) {
    await transaction(knex, async (trx) => {
      const before = await lockMember(trx, { account, member_id, remains_owner: role === 'owner' })
      await upsertRole(trx, { account, member_id, role })
      const higherRoles = roles.slice(roles.indexOf(role) + 1)
      const revokedTokens = await deleteTokensIssuedBy(trx, { member_id, account, roles: higherRoles })
      await actor.auditIn(
        trx,
        { member_id, role: before, ...(revokedTokens.length > 0 ? { revoked_tokens: revokedTokens } : {}) },
        { member_id, role },
      )
    })
    return {}
  },

  async removeMember({ account, member_id }, { knex }, actor) {
    await transaction(knex, async (trx) => {
      const role = await lockMember(trx, { account, member_id, remains_owner: false })
      const member = await findMember(trx, member_id)
      await deleteSessionsOf(trx, member_id)
      const revokedTokens = await deleteTokensIssuedBy(trx, { member_id, account })
      await deleteRole(trx, { account, member_id })
      await actor.auditIn(
        trx,
        { member_id, name: member?.name, role, ...(revokedTokens.length > 0 ? { revoked_tokens: revokedTokens } : {}) },
        null,
      )
    })
    return {}
  },
} satisfies AdminHandlers<
  Extract<
    keyof typeof memberProcedures,
    'listMembers' | 'inviteMember' | 'withdrawInvitation' | 'changeMember' | 'removeMember'
  >
>

/** Locks all roles in the account and returns the member's role. @throws AdminFault `conflict` if no owner would be left */
async function lockMember(
  trx: Knex.Transaction,
  { account, member_id, remains_owner }: { account: string; member_id: string; remains_owner: boolean },
): Promise<Role> {
  const roles = await lockRolesOf(trx, account)
  const role = roles.get(member_id)
  if (role === undefined) throw new AdminFault('not_found')
  const owners = [...roles.values()].filter((other) => other === 'owner').length
  if (role === 'owner' && !remains_owner && owners === 1) {
    throw new AdminFault('conflict', { reason: createReason('last_owner') })
  }
  return role
}
