import { profileItems } from '../profile-items.ts'
import { appClientIds, type ButtonColors, type Logo, linkTimes, type ProviderDescription } from './description.ts'

/** The name of all providers that sites configure, where they are counted or shown together; no site can give it. */
export const configuredName = 'custom'

/** What all providers that sites configure have in common. */
export const configuredProvider = {
  supplies: profileItems,
  credential: {
    fields: { access_token: 'access_token', refresh_token: 'refresh_token', expires_at: 'expires_at', ...linkTimes },
    longAccessTokens: true,
  },
  chartColor: 'grape.6',
} as const satisfies Omit<ProviderDescription, 'displayName'>

/** Options of their settings; those of OAuth 2.0 have no ID Tokens that apps could send. */
export const configuredOptions = { app_client_ids: appClientIds } as const

/** The look of their login buttons, unless the site sets it. */
export const configuredButton = {
  light: { background: '#ffffff', text: '#1f1f1f', border: '#747775' },
  dark: { background: '#131314', text: '#e3e3e3', border: '#8e918f' },
  // A key.
  logo: {
    path: 'M8 5a6 6 0 1 0 5.66 8H17v3h3v-3h2.5v-3h-8.84A6 6 0 0 0 8 5zm0 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  },
} as const satisfies Record<'light' | 'dark', ButtonColors> & { readonly logo: Logo }
