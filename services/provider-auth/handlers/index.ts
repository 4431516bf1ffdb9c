import type { Handlers } from '#bus'
import type { providerAuth } from '#contracts'
import type { Deps } from '../deps.ts'
import { forgetUser } from './forget-user.ts'
import { listProviders } from './list-providers.ts'
import { readCredentials } from './read-credentials.ts'
import { registerClient } from './register-client.ts'
import { saveProviderSettings } from './save-provider-settings.ts'

export const handlers: Handlers<typeof providerAuth, Deps> = {
  registerClient,
  saveProviderSettings,
  listProviders,
  readCredentials,
  forgetUser,
}
