import type { Handlers } from '#bus'
import type { providerAuth } from '#contracts'
import type { Deps } from '../deps.ts'
import { askFriendStatus } from './ask-friend-status.ts'
import { forgetUser } from './forget-user.ts'
import { issueAssociationToken } from './issue-association-token.ts'
import { listProviders } from './list-providers.ts'
import { mergeUsers } from './merge-users.ts'
import { readCredentialFreshness } from './read-credential-freshness.ts'
import { readCredentials } from './read-credentials.ts'
import { redeemOneTimeToken } from './redeem-one-time-token.ts'
import { registerClient } from './register-client.ts'
import { removeProviders } from './remove-providers.ts'
import { saveProviderSettings } from './save-provider-settings.ts'

export const handlers: Handlers<typeof providerAuth, Deps> = {
  registerClient,
  saveProviderSettings,
  listProviders,
  readCredentials,
  readCredentialFreshness,
  removeProviders,
  mergeUsers,
  issueAssociationToken,
  redeemOneTimeToken,
  askFriendStatus,
  forgetUser,
}
