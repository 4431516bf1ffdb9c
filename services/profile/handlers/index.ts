import type { ProfileHandlers } from '../deps.ts'
import { changeEventSettings } from './change-event-settings.ts'
import { siteCopyHandlers } from './copy-site.ts'
import { deleteLinks } from './delete-links.ts'
import { deleteProfile } from './delete-profile.ts'
import { deleteSite } from './delete-site.ts'
import { changeExcludedFields, readDeletionProgress } from './excluded-fields.ts'
import { findUsers } from './find-users.ts'
import { grantProfile } from './grant-profile.ts'
import { importProfiles } from './import-profiles.ts'
import { mergeUsers, previewMerge } from './merges.ts'
import { prepareErasure } from './prepare-erasure.ts'
import { readProfile, readProfileSummaries, readProhibition, readStoredProfiles } from './profiles.ts'
import { deleteProviderData, readProviderData } from './provider-data.ts'
import { readCommand } from './read-command.ts'
import { recordProviderData } from './record-provider-data.ts'
import { changeUserSearch, readUserSearch } from './user-search.ts'

export const handlers: ProfileHandlers = {
  changeExcludedFields,
  changeEventSettings,
  readDeletionProgress,
  previewMerge,
  recordProviderData,
  importProfiles,
  readProfile,
  readStoredProfiles,
  readProhibition,
  readProviderData,
  mergeUsers,
  grantProfile,
  prepareErasure,
  deleteLinks,
  deleteProfile,
  deleteProviderData,
  readCommand,
  readUserSearch,
  changeUserSearch,
  findUsers,
  readProfileSummaries,
  deleteSite,
  ...siteCopyHandlers,
}
