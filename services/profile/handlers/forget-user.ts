import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { lockProfile, no_data, updateProfile } from '../store/profiles.ts'
import { removeProviderProfiles } from '../store/provider-profiles.ts'

export const forgetUser: ProfileHandlers['forgetUser'] = async (user, { knex }) => {
  await transaction(knex, async (trx) => {
    await lockProfile(trx, user)
    await removeProviderProfiles(trx, user)
    await updateProfile(trx, user, { ...no_data, prohibited: false, data_deleted_at: null, forgotten: true })
  })
  return {}
}
