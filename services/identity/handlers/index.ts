import type { IdentityHandlers } from '../deps.ts'
import { changeAccount, createAccount, listAccounts } from './accounts.ts'
import { enterApiKey, issueApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { blockUser, unblockUser } from './block-user.ts'
import { changeMetadataHandlers } from './change-metadata.ts'
import { changeMetadataSchemas } from './change-metadata-schemas.ts'
import { changeSite } from './change-site.ts'
import { consentHandlers } from './consents.ts'
import { siteCopyHandlers } from './copy-site.ts'
import { createSite } from './create-site.ts'
import { createUser } from './create-user.ts'
import { deleteSite } from './delete-site.ts'
import { deleteUser } from './delete-user.ts'
import { endUserSessions } from './end-user-sessions.ts'
import { listErasures, readErasure } from './erasures.ts'
import { findEventUsers } from './find-event-users.ts'
import { importUsers } from './import-users.ts'
import { changeInactivityRule, previewInactivityRule, readInactivityRule } from './inactivity-rules.ts'
import { linkAccount } from './link-account.ts'
import { findAccountHolder, isProviderLinked } from './links.ts'
import { listLogins } from './list-logins.ts'
import { listMatchingUsers } from './list-matching-users.ts'
import { listUsers } from './list-users.ts'
import { mapPrimaryKey } from './map-primary-key.ts'
import { mergeUsers } from './merge-users.ts'
import { changeMetadataSearch, readMetadataSearch } from './metadata-search.ts'
import { previewImport } from './preview-import.ts'
import { previewMerge } from './preview-merge.ts'
import { readMetadata } from './read-metadata.ts'
import { readMetadataOfUsers } from './read-metadata-of-users.ts'
import { readMetadataSchemas } from './read-metadata-schemas.ts'
import { recordLogin } from './record-login.ts'
import { registerSite } from './register-site.ts'
import { siteServingHandlers } from './site-serving.ts'
import {
  closeSite,
  findSites,
  listSites,
  listSitesOfAccount,
  readCallbackRules,
  readCompatibility,
  readSite,
} from './sites.ts'
import { claimRequest, storeResponse } from './stored-responses.ts'
import { unlinkProviders } from './unlink-providers.ts'
import { unmapPrimaryKey } from './unmap-primary-key.ts'
import { cancelUserDeletion, readUserDeletion, requestUserDeletion } from './user-deletions.ts'
import { findUsers, readLinkedUsers, readUsers, resolveUser } from './users.ts'

export const handlers: IdentityHandlers = {
  listAccounts,
  createAccount,
  changeAccount,
  listSitesOfAccount,
  findSites,
  readSite,
  readCallbackRules,
  readCompatibility,
  createSite,
  registerSite,
  changeSite,
  closeSite,
  deleteSite,
  ...siteCopyHandlers,
  ...siteServingHandlers,
  listApiKeys,
  issueApiKey,
  enterApiKey,
  revokeApiKey,
  listSites,
  createUser,
  resolveUser,
  readUsers,
  readLinkedUsers,
  findUsers,
  findEventUsers,
  listLogins,
  previewImport,
  previewMerge,
  findAccountHolder,
  isProviderLinked,
  listUsers,
  listMatchingUsers,
  mapPrimaryKey,
  unmapPrimaryKey,
  blockUser,
  unblockUser,
  endUserSessions,
  readMetadata,
  readMetadataOfUsers,
  ...changeMetadataHandlers,
  readMetadataSchemas,
  changeMetadataSchemas,
  readMetadataSearch,
  changeMetadataSearch,
  ...consentHandlers,
  deleteUser,
  readErasure,
  listErasures,
  readUserDeletion,
  requestUserDeletion,
  cancelUserDeletion,
  readInactivityRule,
  changeInactivityRule,
  previewInactivityRule,
  linkAccount,
  unlinkProviders,
  importUsers,
  mergeUsers,
  recordLogin,
  claimRequest,
  storeResponse,
}
