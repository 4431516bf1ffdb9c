import type { Knex } from 'knex'
import { listOwners } from './store/links.ts'
import { lockProfiles, type StoredProfile, type User } from './store/profiles.ts'
import { deleteProviderProfiles } from './store/provider-profiles.ts'
import { rebuildProfile } from './store/rebuilding.ts'

/** A time on this service's clock until which late data are refused. Data of the same second are not: the clocks of services differ. */
export function refusedUntil(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 1_000) * 1_000 - 1)
}

interface Removal {
  readonly obtained_until: Date | 'infinity'
  /** When to combine again what remains of the users that the links belong to. */
  readonly combineAt?: Date
  /** A user to lock, too. */
  readonly user?: User
}

/**
 * Removes what was obtained for locked links.
 *
 * @returns the locked users, as they were before
 */
export async function removeLinkData(
  trx: Knex.Transaction,
  linkIds: readonly string[],
  { obtained_until, combineAt, user }: Removal,
): Promise<StoredProfile[]> {
  const owners = await listOwners(trx, linkIds)
  const profiles = await lockProfiles(trx, user === undefined ? owners : [...owners, user])
  const removed = await deleteProviderProfiles(trx, linkIds, obtained_until)
  const changed = owners.filter(({ link_id }) => removed.includes(link_id))
  for (const stored of profiles)
    if (combineAt !== undefined && changed.some((owner) => isSame(owner, stored)))
      await rebuildProfile(trx, stored, combineAt)
  return profiles
}

export function isSame(one: User, other: User): boolean {
  return one.site === other.site && one.identifier === other.identifier
}
