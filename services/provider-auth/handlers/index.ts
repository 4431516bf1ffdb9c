import type { Handler, Handlers } from '#bus'
import type { Procedure, providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { accountPageHandlers } from './account-page.ts'
import { beginTestLogin } from './begin-test-login.ts'
import { changeClient } from './change-client.ts'
import { changeProviderSettings } from './change-provider-settings.ts'
import { deleteLinks } from './delete-links.ts'
import { siteDeletionHandlers } from './delete-site.ts'
import { exportCredentials } from './export-credentials.ts'
import { fetchFriendshipStatus } from './fetch-friendship-status.ts'
import { importRecords } from './import-records.ts'
import { issueAssociationToken } from './issue-association-token.ts'
import { issueClientSecret } from './issue-client-secret.ts'
import { listClients } from './list-clients.ts'
import { listConfiguredProviders } from './list-configured-providers.ts'
import { listProviderSettings } from './list-provider-settings.ts'
import { listProviders } from './list-providers.ts'
import { prepareCallbackRules } from './prepare-callback-rules.ts'
import { prepareErasure } from './prepare-erasure.ts'
import { previewProfile } from './preview-profile.ts'
import { readClient } from './read-client.ts'
import { readCredentialFreshness } from './read-credential-freshness.ts'
import { readCredentials } from './read-credentials.ts'
import { readDataRecipients } from './read-data-recipients.ts'
import { readProviderSettings } from './read-provider-settings.ts'
import { readTestLogin } from './read-test-login.ts'
import { readUserSessions } from './read-user-sessions.ts'
import { redeemOneTimeToken } from './redeem-one-time-token.ts'
import { registerClient } from './register-client.ts'
import { removeClient } from './remove-client.ts'
import { removeProviderSettings } from './remove-provider-settings.ts'
import { revokeClientSecret } from './revoke-client-secret.ts'
import { saveProviderSettings } from './save-provider-settings.ts'
import { signErasureReceipt } from './sign-erasure-receipt.ts'
import { hostHandlers } from './site-hosts.ts'
import { lookHandlers } from './site-look.ts'
import { termsHandlers } from './terms.ts'

export const handlers: Handlers<typeof providerAuthContract, Deps> = {
  registerClient: publishChange(registerClient),
  listClients,
  readClient,
  changeClient: publishChange(changeClient),
  removeClient: publishChange(removeClient),
  issueClientSecret: publishChange(issueClientSecret),
  revokeClientSecret: publishChange(revokeClientSecret),
  prepareCallbackRules,
  listProviderSettings,
  readProviderSettings,
  changeProviderSettings: publishChange(changeProviderSettings),
  saveProviderSettings: publishChange(saveProviderSettings),
  removeProviderSettings: publishChange(removeProviderSettings),
  previewProfile,
  beginTestLogin,
  readTestLogin,
  listConfiguredProviders,
  listProviders,
  readCredentials,
  exportCredentials,
  readCredentialFreshness,
  readUserSessions,
  readDataRecipients,
  prepareErasure,
  deleteLinks,
  signErasureReceipt,
  issueAssociationToken,
  redeemOneTimeToken,
  importRecords,
  fetchFriendshipStatus,
  ...siteDeletionHandlers,
  closeSite: publishChange(siteDeletionHandlers.closeSite),
  ...hostHandlers,
  ...lookHandlers,
  changeLook: publishChange(lookHandlers.changeLook),
  restoreLook: publishChange(lookHandlers.restoreLook),
  ...accountPageHandlers,
  changeAccountPage: publishChange(accountPageHandlers.changeAccountPage),
  ...termsHandlers,
  changeTerms: publishChange(termsHandlers.changeTerms),
  addHost: publishChange(hostHandlers.addHost),
  removeHost: publishChange(hostHandlers.removeHost),
  changeSharedHost: publishChange(hostHandlers.changeSharedHost),
}

/** Also after an error: the change can be committed without an answer. */
function publishChange<P extends Procedure>(change: Handler<P, Deps>): Handler<P, Deps> {
  return async (input, deps, call) => {
    try {
      return await change(input, deps, call)
    } finally {
      deps.siteSettings.publishChange()
    }
  }
}
