import type { ProfileHandlers } from '../deps.ts'
import { told } from '../told-profile.ts'

export const readProfile: ProfileHandlers['readProfile'] = async (user, { findProfile }) => {
  const stored = await findProfile(user)
  return { ...told(stored), profile_prohibited: stored?.prohibited ?? false }
}
