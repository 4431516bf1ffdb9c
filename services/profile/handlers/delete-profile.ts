import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { lockHeir, removeBroughtData } from '../store/heirs.ts'
import { no_data, updateProfile } from '../store/profiles.ts'
import { removeProviderData } from '../store/provider-profiles.ts'
import { rebuildProfile } from '../store/rebuilding.ts'

export const deleteProfile: ProfileHandlers['deleteProfile'] = async ({ prohibit, ...user }, { knex }) => {
  const now = new Date()
  await transaction(knex, async (trx) => {
    const heir = await lockHeir(trx, user)
    const { stored, passed } = heir
    if (stored.forgotten) return
    const [{ prohibited } = stored] = passed
    const rules = { prohibited: prohibited || prohibit, data_deleted_at: now }
    if (passed.length === 0) {
      await removeProviderData(trx, user)
      return updateProfile(trx, user, { ...no_data, ...rules })
    }
    // Merged while the question was on its way: the data are with the user that remains.
    await updateProfile(trx, user, rules)
    if (await removeBroughtData(trx, heir)) await rebuildProfile(trx, heir, now)
  })
  return {}
}
