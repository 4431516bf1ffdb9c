import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { mergeInTransaction } from '../merging.ts'

export const mergeUsers: ProfileHandlers['mergeUsers'] = async (merge, { knex }) => {
  await transaction(knex, (trx) => mergeInTransaction(trx, merge))
  return {}
}
