import type { ProfileHandlers } from '../deps.ts'

export const readProhibition: ProfileHandlers['readProhibition'] = async (user, { findProhibition }) => ({
  profile_prohibited: (await findProhibition(user)) ?? false,
})
