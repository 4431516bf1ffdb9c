import type { Knex } from 'knex'
import { listOwners } from './store/links.ts'
import { lockProfiles } from './store/profiles.ts'
import { deleteProviderProfiles } from './store/provider-profiles.ts'
import { recombineProfile } from './store/recombine-profile.ts'
import type { StoreTools } from './store/store-tools.ts'
import type { StoredProfile } from './store/stored-profile.ts'

/** The time until which late data is discarded. Excludes the current second, because the clocks of services differ. */
export function discardedUntil(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 1_000) * 1_000 - 1)
}

interface RemovalOptions {
  readonly obtained_until: Date | 'infinity'
  /** Recombines the profiles of the links' users, with this time. */
  readonly combineAt?: Date
  /** Except the profile of this user, which the caller changes. */
  readonly except?: string
  /** The identifier of a user to lock in addition. */
  readonly user?: string
}

/**
 * Deletes the data that was obtained for locked links of a site.
 *
 * @returns the locked users before the change
 */
export async function removeLinkData(
  trx: Knex.Transaction,
  tools: StoreTools,
  site: number,
  linkIds: readonly string[],
  { obtained_until, combineAt, except, user }: RemovalOptions,
): Promise<StoredProfile[]> {
  const owners = await listOwners(trx, site, linkIds)
  const identifiers = owners.map(({ identifier }) => identifier)
  const profiles = await lockProfiles(trx, tools, site, user === undefined ? identifiers : [...identifiers, user])
  const removed = await deleteProviderProfiles(trx, site, linkIds, obtained_until)
  const changed = owners.filter(({ link_id }) => removed.includes(link_id))
  for (const stored of profiles.filter(({ identifier }) => identifier !== except))
    if (combineAt !== undefined && changed.some(({ identifier }) => identifier === stored.identifier))
      await recombineProfile(trx, tools, stored, combineAt)
  return profiles
}
