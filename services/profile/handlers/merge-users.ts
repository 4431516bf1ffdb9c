import type { Knex } from 'knex'
import { providers as all_providers, type Provider } from '#contracts'
import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { hand, lockHeir } from '../store/heirs.ts'
import { lockProfile, no_data, type User, updateProfile } from '../store/profiles.ts'
import { listProviderProfiles, removeProviderData, upsertProviderProfile } from '../store/provider-profiles.ts'
import { rebuildProfile } from '../store/rebuilding.ts'

export const mergeUsers: ProfileHandlers['mergeUsers'] = async (input, { knex }) => {
  const { site, source, destination, providers, rebuild } = input
  const [from, to] = [
    { site, identifier: source },
    { site, identifier: destination },
  ]
  const merged_at = new Date(input.merged_at)
  await transaction(knex, async (trx) => {
    if ((await lockProfile(trx, from)).forgotten) return
    // The destination may have been merged on, if this is told late.
    const heir = await lockHeir(trx, to)
    for (const supply of await listProviderProfiles(trx, from))
      if (providers.includes(supply.provider)) await hand(trx, heir, { ...supply, brought_at: merged_at })
    await forget(trx, from, providers, merged_at)
    await updateProfile(trx, from, { ...no_data, forgotten: true, merged_into: destination, merged_at })
    if (rebuild && !heir.stored.forgotten) await rebuildProfile(trx, heir, merged_at)
  })
  return {}
}

/** Removes the source's data. What of it arrives late is handed on only if it came by an account that moved. */
async function forget(trx: Knex.Transaction, source: User, moved: readonly Provider[], merged_at: Date) {
  await removeProviderData(trx, source)
  for (const provider of all_providers.filter((one) => !moved.includes(one)))
    await upsertProviderProfile(trx, source, { provider, data: null, obtained_at: merged_at, brought_at: null })
}
