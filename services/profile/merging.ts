import type { Knex } from 'knex'
import { providers as all_providers, type Input, type Provider, type profile } from '#contracts'
import { hand, lockHeir } from './store/heirs.ts'
import { lockProfile, no_data, type User, updateProfile } from './store/profiles.ts'
import { listProviderProfiles, removeProviderData, upsertProviderProfile } from './store/provider-profiles.ts'
import { rebuildProfile } from './store/rebuilding.ts'
import { lockNotStored } from './store/site-storing.ts'

type Merge = Input<(typeof profile.procedures)['mergeUsers']>

/** Moves the source's data to the destination, and forgets the source. */
export async function mergeWithin(trx: Knex.Transaction, merge: Merge): Promise<void> {
  const { site, source, destination, providers, rebuild } = merge
  const from = { site, identifier: source }
  const merged_at = new Date(merge.merged_at)
  const not_stored = await lockNotStored(trx, site)
  if ((await lockProfile(trx, from)).forgotten) return
  // The destination may have been merged on, if this is told late.
  const heir = await lockHeir(trx, { site, identifier: destination })
  for (const supply of await listProviderProfiles(trx, from))
    if (providers.includes(supply.provider)) await hand(trx, heir, { ...supply, brought_at: merged_at }, not_stored)
  await forget(trx, from, providers, merged_at)
  await updateProfile(trx, from, { ...no_data, forgotten: true, merged_into: destination, merged_at })
  if (rebuild && !heir.stored.forgotten) await rebuildProfile(trx, heir, merged_at)
}

/** Removes the source's data. What of it arrives late is handed on only if it came by an account that moved. */
async function forget(trx: Knex.Transaction, source: User, moved: readonly Provider[], merged_at: Date) {
  await removeProviderData(trx, source)
  for (const provider of all_providers.filter((one) => !moved.includes(one)))
    await upsertProviderProfile(trx, source, { provider, data: null, obtained_at: merged_at, brought_at: null })
}
