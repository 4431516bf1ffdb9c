import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { memberProcedures, Role } from '#admin-api'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { deleteInvitation, insertInvitation, linkOf, listInvitations } from '../members/invitations.ts'
import { day_seconds, secondsAfter } from '../members/lives.ts'
import { deleteRole, findMember, listMembersOf, lockRolesOf, upsertRole } from '../members/members.ts'
import { deletePasskey, listPasskeys } from '../members/passkeys.ts'
import { deleteSession, deleteSessionsOf, listSessions } from '../members/sessions.ts'
import { deleteToken, insertToken, listTokensOf } from '../members/tokens.ts'
import { type Actor, AdminFault, type Runs } from './procedure.ts'
import { tellMember } from './tell-member.ts'

export const members = {
  async readMe(_, { knex, now }, actor) {
    if (actor.member_id === undefined) return readToken(actor)
    const { member_id } = actor
    const [member, passkeys, sessions] = await Promise.all([
      findMember(knex, member_id),
      listPasskeys(knex, member_id),
      listSessions(knex, member_id, now()),
    ])
    if (member === undefined) throw new AdminFault('not_signed_in')
    return {
      member: tellMember(member),
      by: 'session',
      passkeys: passkeys.map(({ passkey_id, name, created_at, last_used_at }) => ({
        passkey_id,
        name,
        created_at: toTimestamp(created_at),
        last_used_at: toTimestampOrNull(last_used_at),
      })),
      sessions: sessions.map(({ session_id, browser, began_at, last_seen_at }) => ({
        session_id,
        current: session_id === actor.session_id,
        began_at: toTimestamp(began_at),
        last_seen_at: toTimestamp(last_seen_at),
        browser,
      })),
      confirmed_until: actor.confirmed_until === undefined ? null : toTimestamp(actor.confirmed_until),
    }
  },

  async endSession({ session_id }, { knex }, actor) {
    const member_id = requireMember(actor)
    if (!isUuid(session_id) || !(await deleteSession(knex, { member_id, session_id })))
      throw new AdminFault('not_found')
    return {}
  },

  async removePasskey({ passkey_id }, { knex }, actor) {
    const member_id = requireMember(actor)
    const removed = await transaction(knex, async (trx) => {
      await trx('members').where({ member_id }).forUpdate()
      const passkeys = await listPasskeys(trx, member_id)
      const passkey = passkeys.find((candidate) => candidate.passkey_id === passkey_id)
      if (passkey === undefined) throw new AdminFault('not_found')
      if (passkeys.length === 1) {
        throw new AdminFault('conflict', { detail: 'It is your only passkey. Add another first.' })
      }
      await deletePasskey(trx, passkey_id)
      return passkey
    })
    actor.audit({ passkey_id, name: removed.name }, null)
    return {}
  },

  async listMembers({ account }, { knex, now }) {
    const [found, invited] = await Promise.all([
      listMembersOf(knex, account),
      listInvitations(knex, { account, now: now() }),
    ])
    return {
      // Of a member's other accounts nothing is told here.
      members: found.map((member) => tellMember(member, account)),
      invitations: invited.map(({ invitation_id, name, role, expires_at }) => ({
        invitation_id,
        name,
        role,
        expires_at: toTimestamp(expires_at),
      })),
    }
  },

  async inviteMember({ account, name, role }, { knex, now, console_url }) {
    const invitation = await insertInvitation(knex, { name, of: { account, role }, now: now() })
    return {
      invitation_id: invitation.invitation_id,
      link: linkOf(console_url, invitation.token),
      expires_at: toTimestamp(invitation.expires_at),
    }
  },

  async withdrawInvitation(invitation, { knex }, actor) {
    const withdrawn = await deleteInvitation(knex, invitation)
    if (withdrawn === undefined) throw new AdminFault('not_found')
    const { name, role } = withdrawn
    actor.audit({ name, role }, null)
    return {}
  },

  async changeMember({ account, member_id, role }, { knex }, actor) {
    const before = await transaction(knex, async (trx) => {
      const present = await lockMember(trx, { account, member_id, remains_owner: role === 'owner' })
      await upsertRole(trx, { account, member_id, role })
      return present
    })
    actor.audit({ member_id, role: before }, { member_id, role })
    return {}
  },

  async removeMember({ account, member_id }, { knex }, actor) {
    const before = await transaction(knex, async (trx) => {
      const role = await lockMember(trx, { account, member_id, remains_owner: false })
      const member = await findMember(trx, member_id)
      await deleteSessionsOf(trx, member_id)
      await deleteRole(trx, { account, member_id })
      return { member_id, name: member?.name, role }
    })
    actor.audit(before, null)
    return {}
  },

  async listTokens({ account }, { knex }) {
    const tokens = await listTokensOf(knex, account)
    return {
      tokens: tokens.map(({ token_id, name, role, created_at, expires_at, last_used_at }) => ({
        token_id,
        name,
        role,
        created_at: toTimestamp(created_at),
        expires_at: toTimestamp(expires_at),
        last_used_at: toTimestampOrNull(last_used_at),
      })),
    }
  },

  async issueToken({ account, name, role, lives_days }, { knex, now }, actor) {
    const begins = now()
    const expires_at = secondsAfter(begins, lives_days * day_seconds)
    const issued = await insertToken(knex, { account, name, role, expires_at, now: begins })
    actor.audit(null, { token_id: issued.token_id, name, role, expires_at: toTimestamp(expires_at) })
    return { ...issued, expires_at: toTimestamp(expires_at) }
  },

  async revokeToken(token, { knex }, actor) {
    const revoked = await deleteToken(knex, token)
    if (revoked === undefined) throw new AdminFault('not_found')
    const { name, role } = revoked
    actor.audit({ name, role }, null)
    return {}
  },
} satisfies Runs<keyof typeof memberProcedures>

/** The member's role, with everybody's in the account kept from other changes; refuses when no owner would be left. */
async function lockMember(
  trx: Knex.Transaction,
  { account, member_id, remains_owner }: { account: string; member_id: string; remains_owner: boolean },
): Promise<Role> {
  const roles = await lockRolesOf(trx, account)
  const role = roles.get(member_id)
  if (role === undefined) throw new AdminFault('not_found')
  const owners = [...roles.values()].filter((other) => other === 'owner').length
  if (role === 'owner' && !remains_owner && owners === 1) {
    throw new AdminFault('conflict', {
      detail: 'The account would be without an owner. Make somebody else an owner first.',
    })
  }
  return role
}

/** A token, told as the member that it is not. */
function readToken({ token_id = randomUUID(), name, roles, operator }: Actor) {
  return {
    member: {
      member_id: token_id,
      name,
      operator,
      roles: [...roles].map(([account, role]) => ({ account, role })),
      passkeys: 0,
      last_signed_in_at: null,
      created_at: toTimestamp(0),
    },
    by: 'token' as const,
    passkeys: [],
    sessions: [],
    confirmed_until: null,
  }
}

function requireMember({ member_id }: Actor): string {
  if (member_id === undefined) throw new AdminFault('not_allowed', { detail: 'This is for members, not for tokens.' })
  return member_id
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
