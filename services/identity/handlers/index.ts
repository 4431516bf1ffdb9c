import type { IdentityHandlers } from '../deps.ts'
import { blockUser, unblockUser } from './block-user.ts'
import { changeAccount } from './change-account.ts'
import { changeMetadata } from './change-metadata.ts'
import { changeMetadataSchemas } from './change-metadata-schemas.ts'
import { changeSite } from './change-site.ts'
import { claimRequest } from './claim-request.ts'
import { closeSite } from './close-site.ts'
import { consentHandlers } from './consents.ts'
import { createAccount } from './create-account.ts'
import { createSite } from './create-site.ts'
import { createUser } from './create-user.ts'
import { deleteSite } from './delete-site.ts'
import { deleteUser } from './delete-user.ts'
import { endUserSessions } from './end-user-sessions.ts'
import { listErasures, readErasure } from './erasures.ts'
import { findAccountHolder } from './find-account-holder.ts'
import { findEventUsers } from './find-event-users.ts'
import { findSites } from './find-sites.ts'
import { findUsers } from './find-users.ts'
import { importUsers } from './import-users.ts'
import { changeInactivityRule, previewInactivityRule, readInactivityRule } from './inactivity-rules.ts'
import { isProviderLinked } from './is-provider-linked.ts'
import { enterApiKey, issueApiKey } from './issue-api-key.ts'
import { linkAccount } from './link-account.ts'
import { listAccounts } from './list-accounts.ts'
import { listApiKeys } from './list-api-keys.ts'
import { listLogins } from './list-logins.ts'
import { listMatchingUsers } from './list-matching-users.ts'
import { listSites } from './list-sites.ts'
import { listSitesOfAccount } from './list-sites-of-account.ts'
import { listUsers } from './list-users.ts'
import { mapPrimaryKey } from './map-primary-key.ts'
import { mergeUsers } from './merge-users.ts'
import { previewImport } from './preview-import.ts'
import { previewMerge } from './preview-merge.ts'
import { readCallbackRules } from './read-callback-rules.ts'
import { readCompatibility } from './read-compatibility.ts'
import { readLinkedUsers } from './read-linked-users.ts'
import { readMetadata } from './read-metadata.ts'
import { readMetadataOfUsers } from './read-metadata-of-users.ts'
import { readMetadataSchemas } from './read-metadata-schemas.ts'
import { readSite } from './read-site.ts'
import { readUsers } from './read-users.ts'
import { recordLogin } from './record-login.ts'
import { registerSite } from './register-site.ts'
import { resolveUser } from './resolve-user.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { storeResponse } from './store-response.ts'
import { unlinkProviders } from './unlink-providers.ts'
import { unmapPrimaryKey } from './unmap-primary-key.ts'
import { cancelUserDeletion, readUserDeletion, requestUserDeletion } from './user-deletions.ts'

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
  changeMetadata,
  readMetadataSchemas,
  changeMetadataSchemas,
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
