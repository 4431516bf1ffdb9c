import type { CombinedProfile } from '#contracts'
import { toTimestampOrNull } from '#runtime'
import { combine } from './domain/combine.ts'
import { noData, type ToldProfile } from './store/profiles.ts'

/** Also what a stored combination lacks that was made before a field was known. */
const nothingKnown = combine([])

/** A user's combined profile as it is told. */
export function told(stored: Omit<ToldProfile, 'prohibited'> = noData): CombinedProfile {
  const { combined, update_count, last_updated_at } = stored
  return {
    ...nothingKnown,
    ...combined,
    profile: {
      ...nothingKnown.profile,
      ...combined?.profile,
      last_updated_at: toTimestampOrNull(last_updated_at),
      update_count,
    },
  }
}
