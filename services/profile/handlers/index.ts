import type { ProfileHandlers } from '../deps.ts'
import { deleteProfile } from './delete-profile.ts'
import { forgetUser } from './forget-user.ts'
import { readProfile } from './read-profile.ts'
import { readProhibition } from './read-prohibition.ts'
import { recordProviderData } from './record-provider-data.ts'

export const handlers: ProfileHandlers = {
  recordProviderData,
  readProfile,
  readProhibition,
  deleteProfile,
  forgetUser,
}
