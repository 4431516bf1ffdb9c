import type { Knex } from 'knex'
import { createReason, type memberProcedures, type Role, roles } from '#admin-api'
import { transaction } from '#database'
import { toTimestamp } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { findManagingAccount, listOwnersByProvider } from '../store/account-identities.ts'
import { findAccountProvider, isProviderRequired } from '../store/account-providers.ts'
import { buildInvitationLink, deleteInvitation, insertInvitation, listInvitations } from '../store/invitations.ts'
import {
  type AccountRoles,
  deleteRoles,
  findMember,
  listMembersOf,
  lockRolesOf,
  readSiteRoles,
  replaceRoles,
} from '../store/members.ts'
import { deleteSessionsOf } from '../store/sessions.ts'
import { deleteTokensIssuedBy } from '../store/tokens.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { requireValidRoles } from './require-valid-roles.ts'
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
      invitations: invited.map(({ invitation_id, name, role, site_roles, expires_at }) => ({
        invitation_id,
        name,
        role,
        site_roles,
        expires_at: toTimestamp(expires_at),
      })),
    }
  },

  async inviteMember({ account, name, role, site_roles }, deps, actor) {
    const { knex, now, consoleUrl } = deps
    await requireAccount(account, deps, actor)
    await requireValidRoles(account, { role, site_roles }, deps, actor)
    const invitation = await transaction(knex, async (trx) => {
      if (await isProviderRequired(trx, account)) {
        throw new AdminFault('conflict', { reason: createReason('account_invitations_off') })
      }
      const inserted = await insertInvitation(trx, { name, of: { account, role, site_roles }, now: now() })
      await actor.auditIn(trx, null, { invitation_id: inserted.invitation_id, name, role, site_roles })
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
      const { invitation_id, name, role, site_roles } = withdrawn
      await actor.auditIn(trx, { invitation_id, name, role, site_roles }, null)
    })
    return {}
  },

  async changeMember({ account, member_id, role, site_roles }, deps, actor) {
    await requireValidRoles(account, { role, site_roles }, deps, actor)
    await transaction(deps.knex, async (trx) => {
      await rejectClaimedRoles(trx, { account, member_id })
      const before = await lockMember(trx, { account, member_id, remains_owner: role === 'owner' })
      await replaceRoles(trx, { account, member_id, role, site_roles })
      const higherRoles = role === null ? roles : roles.slice(roles.indexOf(role) + 1)
      const revokedTokens = await deleteTokensIssuedBy(trx, { member_id, account, roles: higherRoles })
      await actor.auditIn(
        trx,
        { member_id, ...before, ...(revokedTokens.length > 0 ? { revoked_tokens: revokedTokens } : {}) },
        { member_id, role, site_roles },
      )
    })
    return {}
  },

  async removeMember({ account, member_id }, { knex }, actor) {
    await transaction(knex, async (trx) => {
      const before = await lockMember(trx, { account, member_id, remains_owner: false })
      const member = await findMember(trx, member_id)
      await deleteSessionsOf(trx, member_id)
      const revokedTokens = await deleteTokensIssuedBy(trx, { member_id, account })
      await deleteRoles(trx, { account, member_id })
      await actor.auditIn(
        trx,
        {
          member_id,
          name: member?.name,
          ...before,
          ...(revokedTokens.length > 0 ? { revoked_tokens: revokedTokens } : {}),
        },
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

/** Locks all roles in the account and returns the member's roles. @throws AdminFault `conflict` if no owner would be left */
async function lockMember(
  trx: Knex.Transaction,
  { account, member_id, remains_owner }: { account: string; member_id: string; remains_owner: boolean },
): Promise<AccountRoles> {
  const roles = await lockRolesOf(trx, account)
  const role = roles.get(member_id)
  const siteRoles = await readSiteRoles(trx, { account, member_id })
  if (role === undefined && Object.keys(siteRoles).length === 0) throw new AdminFault('not_found')
  if (role === 'owner' && !remains_owner && (await countOtherOwners(trx, { account, member_id, roles })) === 0) {
    throw new AdminFault('conflict', { reason: createReason('last_owner') })
  }
  return { role: role ?? null, site_roles: siteRoles }
}

/** Owners who could still sign in: if the account's provider is required, only those that it manages. */
async function countOtherOwners(
  trx: Knex.Transaction,
  { account, member_id, roles }: { account: string; member_id: string; roles: ReadonlyMap<string, Role> },
): Promise<number> {
  const provider = await findAccountProvider(trx, account)
  const managed = provider?.required === true ? await listOwnersByProvider(trx, provider) : undefined
  const owners = [...roles].flatMap(([id, role]) => (role === 'owner' && id !== member_id ? [id] : []))
  return owners.filter((id) => managed?.includes(id) ?? true).length
}

/** @throws AdminFault `conflict` if claims decide about the member's roles, and would replace them at the next sign-in */
async function rejectClaimedRoles(
  trx: Knex.Transaction,
  { account, member_id }: { account: string; member_id: string },
): Promise<void> {
  const provider = await findAccountProvider(trx, account)
  if (provider === undefined || provider.role_claim === null) return
  if ((await findManagingAccount(trx, member_id)) !== account) return
  throw new AdminFault('conflict', { reason: createReason('roles_by_claim') })
}
