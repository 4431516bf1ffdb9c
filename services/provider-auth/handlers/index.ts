import type { Handler } from '#bus'
import type { Procedure } from '#contracts'
import type { Deps, ProviderAuthHandlers } from '../deps.ts'
import { accountPageHandlers } from './account-page.ts'
import { changeProviderSettings } from './change-provider-settings.ts'
import { issueClientSecret, revokeClientSecret } from './client-secrets.ts'
import { changeClient, listClients, readClient, registerClient, removeClient } from './clients.ts'
import { announceHosts, retireHosts, siteCopyHandlers } from './copy-site.ts'
import { deleteLinks } from './delete-links.ts'
import { siteDeletionHandlers } from './delete-site.ts'
import { exportCredentials } from './export-credentials.ts'
import { fetchFriendshipStatus } from './fetch-friendship-status.ts'
import { importRecords } from './import-records.ts'
import { issueAssociationToken } from './issue-association-token.ts'
import { prepareCallbackRules } from './prepare-callback-rules.ts'
import { prepareErasure } from './prepare-erasure.ts'
import { previewProfile } from './preview-profile.ts'
import {
  listConfiguredProviders,
  listProviderSettings,
  listProviders,
  readProviderSettings,
} from './provider-settings.ts'
import { readCredentialFreshness } from './read-credential-freshness.ts'
import { readCredentials } from './read-credentials.ts'
import { readDataRecipients } from './read-data-recipients.ts'
import { readUserSessions } from './read-user-sessions.ts'
import { redeemOneTimeToken } from './redeem-one-time-token.ts'
import { removeProviderSettings } from './remove-provider-settings.ts'
import { saveProviderSettings } from './save-provider-settings.ts'
import { signErasureReceipt } from './sign-erasure-receipt.ts'
import { hostHandlers } from './site-hosts.ts'
import { lookHandlers } from './site-look.ts'
import { termsHandlers } from './terms.ts'
import { beginTestLogin, readTestLogin } from './test-logins.ts'

export const handlers: ProviderAuthHandlers = {
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
  ...siteCopyHandlers,
  announceHosts: publishChange(announceHosts),
  retireHosts: publishChange(retireHosts),
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
