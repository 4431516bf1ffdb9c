import type { Knex } from 'knex'
import { combine, type SuppliedData } from '../domain/combine.ts'
import { noData, updateCombinedData } from './profiles.ts'
import { listProviderProfiles } from './provider-profiles.ts'
import type { StoreTools } from './store-tools.ts'
import type { StoredProfile } from './stored-profile.ts'

/** Recombines the profile of a locked user after a change at a time. */
export async function recombineProfile(
  trx: Knex.Transaction,
  tools: StoreTools,
  stored: StoredProfile,
  at: Date,
): Promise<void> {
  if (!stored.deleted) await combineProfile(trx, tools, stored, await listProviderProfiles(trx, tools, stored), at)
}

/** Combines the data of all links of a locked user after a change at a time. */
export async function combineProfile(
  trx: Knex.Transaction,
  tools: StoreTools,
  stored: StoredProfile,
  supplies: readonly SuppliedData[],
  at: Date,
): Promise<void> {
  if (supplies.length === 0) return updateCombinedData(trx, tools, stored, noData)
  const { update_count, last_updated_at } = stored
  await updateCombinedData(trx, tools, stored, {
    combined: combine(supplies),
    update_count: update_count + 1,
    last_updated_at: last_updated_at !== null && last_updated_at > at ? last_updated_at : at,
  })
}
