import type { ProfileHandlers } from '../deps.ts'
import { changeEventSettings } from './change-event-settings.ts'
import { changeExcludedFields } from './change-excluded-fields.ts'
import { changeUserSearch } from './change-user-search.ts'
import { deleteLinks } from './delete-links.ts'
import { deleteProfile } from './delete-profile.ts'
import { deleteProviderData } from './delete-provider-data.ts'
import { deleteSite } from './delete-site.ts'
import { findUsers } from './find-users.ts'
import { grantProfile } from './grant-profile.ts'
import { importProfiles } from './import-profiles.ts'
import { mergeUsers } from './merge-users.ts'
import { prepareErasure } from './prepare-erasure.ts'
import { previewMerge } from './preview-merge.ts'
import { readCommand } from './read-command.ts'
import { readDeletionProgress } from './read-deletion-progress.ts'
import { readProfile } from './read-profile.ts'
import { readProfileSummaries } from './read-profile-summaries.ts'
import { readProhibition } from './read-prohibition.ts'
import { readProviderData } from './read-provider-data.ts'
import { readStoredProfiles } from './read-stored-profiles.ts'
import { readUserSearch } from './read-user-search.ts'
import { recordProviderData } from './record-provider-data.ts'

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
}
