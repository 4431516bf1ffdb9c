import type { Knex } from 'knex'
import { combine } from '../domain/combine.ts'
import type { Heir } from './heirs.ts'
import { no_data, updateProfile } from './profiles.ts'
import { listProviderProfiles } from './provider-profiles.ts'

/** Combines anew what there is of a user that was locked before, because of something that happened at a time. */
export async function rebuildProfile(
  trx: Knex.Transaction,
  { user, stored }: Pick<Heir, 'user' | 'stored'>,
  at: Date,
): Promise<void> {
  const supplies = await listProviderProfiles(trx, user)
  if (supplies.length === 0) return updateProfile(trx, user, no_data)
  const { update_count, last_updated_at } = stored
  await updateProfile(trx, user, {
    combined: combine(supplies),
    update_count: update_count + 1,
    last_updated_at: last_updated_at !== null && last_updated_at > at ? last_updated_at : at,
  })
}
