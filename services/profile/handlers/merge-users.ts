import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { mergeProfiles } from '../merge-profiles.ts'

export const mergeUsers: ProfileHandlers['mergeUsers'] = async (merge, { knex, searchIndex }) => {
  await transaction(knex, (trx) => mergeProfiles(trx, searchIndex, merge))
  return {}
}
