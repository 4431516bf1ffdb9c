import type { ProfileHandlers } from '../deps.ts'
import { toCombinedProfile } from '../to-combined-profile.ts'

export const readProfile: ProfileHandlers['readProfile'] = async (user, { findProfile }) => {
  const stored = await findProfile(user)
  return { ...toCombinedProfile(stored), profile_prohibited: stored?.prohibited ?? false }
}
