import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { lockProfile, no_data, updateProfile } from '../store/profiles.ts'
import { removeProviderData } from '../store/provider-profiles.ts'

export const deleteProfile: ProfileHandlers['deleteProfile'] = async ({ prohibit, ...user }, { knex }) => {
  await transaction(knex, async (trx) => {
    const { forgotten, prohibited } = await lockProfile(trx, user)
    if (forgotten) return
    await removeProviderData(trx, user)
    await updateProfile(trx, user, { ...no_data, prohibited: prohibited || prohibit, data_deleted_at: new Date() })
  })
  return {}
}
