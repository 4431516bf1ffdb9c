import type { ProfileHandlers } from '../deps.ts'
import { findProfile } from '../store/profiles.ts'
import { toCombinedProfile } from '../to-combined-profile.ts'

export const readProfile: ProfileHandlers['readProfile'] = async (user, deps) => {
  const row = await findProfile(deps.reader, deps, user)
  return { ...toCombinedProfile(row), profile_prohibited: row.prohibited }
}
