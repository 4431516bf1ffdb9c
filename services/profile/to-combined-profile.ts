import type { CombinedProfile } from '#contracts'
import { toTimestampOrNull } from '#runtime'
import { combine } from './domain/combine.ts'
import { noData, type ProfileRow } from './store/profiles.ts'

/** Supplies fields that were added after a profile was stored. */
const emptyProfile = combine([])

/** Converts a stored profile to the contract's combined profile. */
export function toCombinedProfile(stored: Omit<ProfileRow, 'prohibited'> = noData): CombinedProfile {
  const { combined, update_count, last_updated_at } = stored
  return {
    ...emptyProfile,
    ...combined,
    profile: {
      ...emptyProfile.profile,
      ...combined?.profile,
      last_updated_at: toTimestampOrNull(last_updated_at),
      update_count,
    },
  }
}
