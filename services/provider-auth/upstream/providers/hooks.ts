import type { BuiltInLoginProvider } from '#contracts'
import { deauthorizeMessagingUser } from './messaging-deauthorization.ts'
import { readMessagingToken } from './messaging-native.ts'
import { readPortalToken } from './portal-native.ts'
import type { ProviderHooks } from './provider-hooks.ts'
import { readSearchToken } from './search-native.ts'
import { readSocialToken } from './social-native.ts'

/** The hooks of the providers that have any. */
export const providerHooks: Readonly<Partial<Record<BuiltInLoginProvider, ProviderHooks>>> = {
  messaging: {
    appAccessToken: { saysClient: true, readUser: readMessagingToken },
    revokeAccess: deauthorizeMessagingUser,
  },
  portal: { appAccessToken: { saysClient: false, readUser: readPortalToken } },
  search: { appAccessToken: { saysClient: true, readUser: readSearchToken } },
  social: { appAccessToken: { saysClient: true, readUser: readSocialToken } },
}
