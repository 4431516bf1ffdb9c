import type { operatorProcedures } from '#admin-api'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { deleteInvitation, insertInvitation, linkOf, listOperatorInvitations } from '../members/invitations.ts'
import { day_seconds, secondsAfter } from '../members/lives.ts'
import { endOperator, listOperators, lockOperators } from '../members/members.ts'
import { deleteSessionsOf } from '../members/sessions.ts'
import { deleteToken, insertToken, listOperatorTokens } from '../members/tokens.ts'
import { AdminFault, type Runs } from './procedure.ts'
import { tellMember } from './tell-member.ts'

/** Of no account. */
const account = null

export const operators = {
  async listOperators(_, { knex, now }) {
    const [found, invited] = await Promise.all([listOperators(knex), listOperatorInvitations(knex, now())])
    return {
      operators: found.map((operator) => tellMember(operator)),
      invitations: invited.map(({ invitation_id, name, expires_at }) => ({
        invitation_id,
        name,
        expires_at: toTimestamp(expires_at),
      })),
    }
  },

  async inviteOperator({ name }, { knex, now, console_url }) {
    const { invitation_id, token, expires_at } = await insertInvitation(knex, { name, now: now() })
    return { invitation_id, link: linkOf(console_url, token), expires_at: toTimestamp(expires_at) }
  },

  async withdrawOperatorInvitation({ invitation_id }, { knex }, actor) {
    const withdrawn = await deleteInvitation(knex, { account, invitation_id })
    if (withdrawn === undefined) throw new AdminFault('not_found')
    actor.audit({ name: withdrawn.name }, null)
    return {}
  },

  async removeOperator({ member_id }, { knex }, actor) {
    const removed = await transaction(knex, async (trx) => {
      const present = await lockOperators(trx)
      const operator = present.find((candidate) => candidate.member_id === member_id)
      if (operator === undefined) throw new AdminFault('not_found')
      if (present.length === 1) {
        throw new AdminFault('conflict', { detail: 'There would be no operator any more. Invite another one first.' })
      }
      await deleteSessionsOf(trx, member_id)
      await endOperator(trx, member_id)
      return operator
    })
    actor.audit({ member_id, name: removed.name }, null)
    return {}
  },

  async listOperatorTokens(_, { knex }) {
    const tokens = await listOperatorTokens(knex)
    return {
      tokens: tokens.map(({ token_id, name, created_at, expires_at, last_used_at }) => ({
        token_id,
        name,
        created_at: toTimestamp(created_at),
        expires_at: toTimestamp(expires_at),
        last_used_at: toTimestampOrNull(last_used_at),
      })),
    }
  },

  async issueOperatorToken({ name, lives_days }, { knex, now }, actor) {
    const begins = now()
    const expires_at = secondsAfter(begins, lives_days * day_seconds)
    const issued = await insertToken(knex, { name, account, role: null, expires_at, now: begins })
    actor.audit(null, { token_id: issued.token_id, name, expires_at: toTimestamp(expires_at) })
    return { ...issued, expires_at: toTimestamp(expires_at) }
  },

  async revokeOperatorToken({ token_id }, { knex }, actor) {
    const revoked = await deleteToken(knex, { account, token_id })
    if (revoked === undefined) throw new AdminFault('not_found')
    actor.audit({ name: revoked.name }, null)
    return {}
  },
} satisfies Runs<keyof typeof operatorProcedures>
