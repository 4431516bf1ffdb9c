import type { Knex } from 'knex'
import type { ProfileNotStored, ProviderData } from '#contracts'
import { storable } from '../domain/not-stored.ts'
import { mayStore } from '../domain/storing.ts'
import { lockProfile, type StoredProfile, type User } from './profiles.ts'
import { isOutdated, type ProviderState, upsertProviderProfile } from './provider-profiles.ts'

/** The user that remains of a user after merges: who was not merged is their own. */
export interface Heir {
  readonly user: User
  readonly stored: StoredProfile
  /** The merged users on the way there. */
  readonly passed: readonly StoredProfile[]
}

/** The heir, kept from other changes until the transaction ends. */
export async function lockHeir(trx: Knex.Transaction, { site, identifier }: User): Promise<Heir> {
  const passed: StoredProfile[] = []
  let stored = await lockProfile(trx, { site, identifier })
  // In the direction of the merges, as every lock of two users: merges never form a circle, so nobody deadlocks.
  while (stored.merged_into !== null) {
    passed.push(stored)
    stored = await lockProfile(trx, { site, identifier: stored.merged_into })
  }
  return { user: { site, identifier: stored.identifier }, stored, passed }
}

/**
 * Keeps for the heir what a provider supplied for the user, if it was to be kept for the user and for everybody on the way,
 * without what the site does not store.
 *
 * @returns false when nothing changed
 */
export async function hand(
  trx: Knex.Transaction,
  { user, stored, passed }: Heir,
  supply: ProviderState & { readonly data: ProviderData },
  not_stored: ProfileNotStored,
): Promise<boolean> {
  const data = storable(supply.data, supply.provider, not_stored)
  if (data === null) return false
  let moment = latest(supply.obtained_at, supply.brought_at)
  for (const { identifier, merged_at, ...rules } of passed) {
    // Where it goes is decided by the other rules: a merged user is forgotten as such.
    if (!mayStore({ ...rules, forgotten: false }, moment)) return false
    if (await isOutdated(trx, { site: user.site, identifier }, supply.provider, moment)) return false
    moment = latest(moment, merged_at)
  }
  if (!mayStore(stored, moment)) return false
  const brought_at = passed.length === 0 ? supply.brought_at : moment
  return upsertProviderProfile(trx, user, { ...supply, data, brought_at })
}

/** Removes what merges brought to the heir from the users on the way. @returns false when there was nothing */
export async function removeBroughtData(trx: Knex.Transaction, { user, passed }: Heir): Promise<boolean> {
  const brought_at = passed
    .map(({ merged_at }) => merged_at)
    .reduce((one, other) => (one && latest(one, other)) ?? other)
  const { site, identifier } = user
  return (await trx('provider_profiles').where({ site, identifier, brought_at }).whereNotNull('data').delete()) > 0
}

function latest(one: Date, other: Date | null): Date {
  return other !== null && other > one ? other : one
}
