import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { mergeWithin } from '../merging.ts'

export const mergeUsers: ProfileHandlers['mergeUsers'] = async (merge, { knex }) => {
  await transaction(knex, (trx) => mergeWithin(trx, merge))
  return {}
}
