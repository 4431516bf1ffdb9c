import { createReason, type operatorProcedures } from '#admin-api'
import { transaction } from '#database'
import { toTimestamp } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import {
  buildInvitationLink,
  deleteInvitation,
  insertInvitation,
  listOperatorInvitations,
} from '../store/invitations.ts'
import { demoteOperator, listOperators, lockOperators } from '../store/members.ts'
import { deleteSessionsOf } from '../store/sessions.ts'
import { deleteTokensIssuedBy } from '../store/tokens.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { toMember } from './to-member.ts'

export const operatorHandlers = {
  async listOperators(_, { knex, now }) {
    const [found, invited] = await Promise.all([listOperators(knex), listOperatorInvitations(knex, now())])
    return {
      operators: found.map((operator) => toMember(operator)),
      invitations: invited.map(({ invitation_id, name, expires_at }) => ({
        invitation_id,
        name,
        expires_at: toTimestamp(expires_at),
      })),
    }
  },

  async inviteOperator({ name }, { knex, now, consoleUrl }, actor) {
    const { invitation_id, token, expires_at } = await transaction(knex, async (trx) => {
      const inserted = await insertInvitation(trx, { name, now: now() })
      await actor.auditIn(trx, null, { invitation_id: inserted.invitation_id, name })
      return inserted
    })
    return { invitation_id, link: buildInvitationLink(consoleUrl, token), expires_at: toTimestamp(expires_at) }
  },

  async withdrawOperatorInvitation({ invitation_id }, { knex }, actor) {
    await transaction(knex, async (trx) => {
      const withdrawn = await deleteInvitation(trx, { account: null, invitation_id })
      if (withdrawn === undefined) throw new AdminFault('not_found')
      await actor.auditIn(trx, { invitation_id, name: withdrawn.name }, null)
    })
    return {}
  },

  async removeOperator({ member_id }, { knex }, actor) {
    await transaction(knex, async (trx) => {
      const present = await lockOperators(trx)
      const operator = present.find((candidate) => candidate.member_id === member_id)
      if (operator === undefined) throw new AdminFault('not_found')
      if (present.length === 1) throw new AdminFault('conflict', { reason: createReason('last_operator') })
      await deleteSessionsOf(trx, member_id)
      const revokedTokens = await deleteTokensIssuedBy(trx, { member_id, account: null })
      await demoteOperator(trx, member_id)
      await actor.auditIn(
        trx,
        { member_id, name: operator.name, ...(revokedTokens.length > 0 ? { revoked_tokens: revokedTokens } : {}) },
        null,
      )
    })
    return {}
  },
} satisfies AdminHandlers<
  Extract<
    keyof typeof operatorProcedures,
    'listOperators' | 'inviteOperator' | 'withdrawOperatorInvitation' | 'removeOperator'
  >
>
