import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { mergeProfiles } from '../merge-profiles.ts'

export const mergeUsers: ProfileHandlers['mergeUsers'] = async (merge, deps) => {
  await transaction(deps.knex, (trx) => mergeProfiles(trx, deps, merge))
  return {}
}
