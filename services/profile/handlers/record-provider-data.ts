import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { hand, lockHeir } from '../store/heirs.ts'
import { rebuildProfile } from '../store/rebuilding.ts'
import { lockNotStored } from '../store/site-storing.ts'

export const recordProviderData: ProfileHandlers['recordProviderData'] = async (input, { knex }) => {
  const { provider, data } = input
  const obtained_at = new Date(input.obtained_at)
  await transaction(knex, async (trx) => {
    const not_stored = await lockNotStored(trx, input.site)
    const heir = await lockHeir(trx, input)
    if (!(await hand(trx, heir, { provider, data, obtained_at, brought_at: null }, not_stored))) return
    await rebuildProfile(trx, heir, obtained_at)
  })
  return {}
}
