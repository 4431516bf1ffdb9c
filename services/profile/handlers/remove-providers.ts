import { transaction } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { lockProfile } from '../store/profiles.ts'
import { upsertProviderProfile } from '../store/provider-profiles.ts'
import { rebuildProfile } from '../store/rebuilding.ts'

export const removeProviders: ProfileHandlers['removeProviders'] = async (input, { knex }) => {
  const { site, identifier, providers, rebuild } = input
  const user = { site, identifier }
  const obtained_at = new Date(input.unlinked_at)
  await transaction(knex, async (trx) => {
    const stored = await lockProfile(trx, user)
    if (stored.forgotten && stored.merged_into === null) return
    let changed = false
    for (const provider of providers) {
      const unlinked = { provider, data: null, obtained_at, brought_at: null }
      if (await upsertProviderProfile(trx, user, unlinked)) changed = true
    }
    // Of a merged user only what arrives late is concerned: the merge left behind what was unlinked.
    if (changed && rebuild && !stored.forgotten) await rebuildProfile(trx, { user, stored }, obtained_at)
  })
  return {}
}
