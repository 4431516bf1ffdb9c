import type { IdentityHandlers } from '../deps.ts'
import { changeSite } from './change-site.ts'
import { claimAnswer } from './claim-answer.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { findAccountHolder } from './find-account-holder.ts'
import { issueApiKey } from './issue-api-key.ts'
import { keepAnswer } from './keep-answer.ts'
import { linkAccount } from './link-account.ts'
import { listSites } from './list-sites.ts'
import { listUsers } from './list-users.ts'
import { mapPrimaryKey } from './map-primary-key.ts'
import { mergeUsers } from './merge-users.ts'
import { recordLogin } from './record-login.ts'
import { registerSite } from './register-site.ts'
import { resolveUser } from './resolve-user.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { unlinkProviders } from './unlink-providers.ts'
import { unmapPrimaryKey } from './unmap-primary-key.ts'

export const handlers: IdentityHandlers = {
  registerSite,
  changeSite,
  issueApiKey,
  revokeApiKey,
  listSites,
  createUser,
  resolveUser,
  findAccountHolder,
  listUsers,
  mapPrimaryKey,
  unmapPrimaryKey,
  deleteUser,
  linkAccount,
  unlinkProviders,
  mergeUsers,
  recordLogin,
  claimAnswer,
  keepAnswer,
}
