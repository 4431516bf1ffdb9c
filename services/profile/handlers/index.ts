import type { ProfileHandlers } from '../deps.ts'
import { changeNotStored } from './change-not-stored.ts'
import { deleteProfile } from './delete-profile.ts'
import { forgetUser } from './forget-user.ts'
import { grantProfile } from './grant-profile.ts'
import { mergeUsers } from './merge-users.ts'
import { previewMerge } from './preview-merge.ts'
import { readClearing } from './read-clearing.ts'
import { readProfile } from './read-profile.ts'
import { readProhibition } from './read-prohibition.ts'
import { readProviderData } from './read-provider-data.ts'
import { recordProviderData } from './record-provider-data.ts'
import { removeProviders } from './remove-providers.ts'

export const handlers: ProfileHandlers = {
  changeNotStored,
  readClearing,
  previewMerge,
  recordProviderData,
  readProfile,
  readProhibition,
  readProviderData,
  removeProviders,
  mergeUsers,
  grantProfile,
  deleteProfile,
  forgetUser,
}
