import type { ProfileHandlers } from '../deps.ts'
import { isProhibited } from '../store/profiles.ts'

export const readProhibition: ProfileHandlers['readProhibition'] = async (user, { reader }) => ({
  profile_prohibited: await isProhibited(reader, user),
})
