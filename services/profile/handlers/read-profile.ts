import { toTimestampOrNull } from '#runtime'
import type { ProfileHandlers } from '../deps.ts'
import { combine } from '../domain/combine.ts'
import { no_data } from '../store/profiles.ts'

/** Also what a stored combination lacks that was made before a field was known. */
const nothing_known = combine([])

export const readProfile: ProfileHandlers['readProfile'] = async (user, { findProfile }) => {
  const { combined, update_count, last_updated_at, prohibited } = (await findProfile(user)) ?? nobody
  return {
    ...nothing_known,
    ...combined,
    profile: {
      ...nothing_known.profile,
      ...combined?.profile,
      last_updated_at: toTimestampOrNull(last_updated_at),
      update_count,
    },
    profile_prohibited: prohibited,
  }
}

const nobody = { ...no_data, prohibited: false }
