import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { combine } from '../domain/combine.ts'
import { mayStore } from '../domain/storing.ts'
import { lockProfile, updateProfile } from '../store/profiles.ts'
import { listProviderProfiles, upsertProviderProfile } from '../store/provider-profiles.ts'

export const recordProviderData: ProfileHandlers['recordProviderData'] = async (input, { knex }) => {
  const { provider, data } = input
  const obtained_at = new Date(input.obtained_at)
  await transaction(knex, async (trx) => {
    const stored = await lockProfile(trx, input)
    if (!mayStore(stored, obtained_at)) return
    if (!(await upsertProviderProfile(trx, input, { provider, data, obtained_at }))) return
    const supplies = await listProviderProfiles(trx, input)
    await updateProfile(trx, input, {
      combined: combine(supplies),
      update_count: stored.update_count + 1,
      last_updated_at: new Date(Math.max(...supplies.map((supply) => supply.obtained_at.getTime()))),
    })
  })
  return {}
}
