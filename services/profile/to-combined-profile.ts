import type { CombinedProfile } from '#contracts'
import { toTimestampOrNull } from '#runtime'
import { combine } from './domain/combine.ts'
import { noData, type ProfileRow } from './store/profiles.ts'

/** Also what a stored combination lacks that was made before a field was known. */
const emptyProfile = combine([])

/** A user's combined profile as it is told. */
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
