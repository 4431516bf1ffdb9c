import type { myColumnProcedures } from '#admin-api'
import { transaction } from '#database'
import { findUserColumns, storeUserColumns } from '../store/user-columns.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { requireMember } from './require-member.ts'

/** What the signed-in member chose for the pages. */
export const myColumnHandlers = {
  async readMyUserColumns(_, { knex }, actor) {
    return { user_columns: await findUserColumns(knex, requireMember(actor)) }
  },

  async changeMyUserColumns({ user_columns }, { knex }, actor) {
    const memberId = requireMember(actor)
    return transaction(knex, async (trx) => {
      const before = await findUserColumns(trx, memberId)
      await storeUserColumns(trx, memberId, user_columns)
      const after = await findUserColumns(trx, memberId)
      await actor.auditIn(trx, { user_columns: before }, { user_columns: after })
      return { user_columns: after }
    })
  },
} satisfies AdminHandlers<keyof typeof myColumnProcedures>
