import { z } from 'zod'
import { ClaimSet, PreviewedProfile, ProviderDefinition } from '../objects/provider-definition.ts'
import { ProviderSettings, providerSettingsInput } from '../objects/provider-settings.ts'
import { TestLogin, TestLoginOutcome } from '../objects/test-login.ts'
import { LoginProvider } from '../providers.ts'
import { Text } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export { ProviderSettings } from '../objects/provider-settings.ts'

/** A ready-made definition of the catalog. */
const CatalogProvider = z.object({
  /** The name of the entry, which a site can also use as the name in the API. */
  name: z.string(),
  definition: ProviderDefinition,
  /** Where to register an application. */
  console: z.string(),
  /** The provider's documentation. */
  documentation: z.array(z.string()),
  /** What to know about it. */
  quirks: z.array(z.string()),
})

const SettingsReference = SiteReference.extend({ provider: LoginProvider })

export const providerProcedures = adminProcedures({
  listProviderSettings: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/providers',
    summary: 'Every login provider, set up or not',
    role: 'viewer',
    servedBy: 'provider_auth',
    input: SiteReference,
    output: z.object({ providers: z.array(ProviderSettings) }),
  },
  readProviderSettings: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}',
    summary: 'Settings of a login provider',
    role: 'viewer',
    versioned: true,
    servedBy: 'provider_auth',
    input: SettingsReference,
    output: ProviderSettings,
  },
  saveProviderSettings: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}',
    summary: 'Set up a login provider or change its settings. Changes apply within a second',
    role: 'editor',
    sensitive: true,
    versioned: true,
    form: 'provider',
    help: { client_id: 'ID of your application at the provider' },
    input: SettingsReference.extend({
      ...providerSettingsInput,
    }),
    output: ProviderSettings,
    faults: { invalid_request: 'An option is missing or invalid for the provider.' },
  },
  removeProviderSettings: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}',
    summary: 'Remove a login provider that the site configured, before users have logged in with it',
    role: 'owner',
    sensitive: true,
    versioned: true,
    input: SettingsReference,
    output: z.object({}),
    faults: { conflict: 'Users have logged in with it, or it is part of the product. Disable it instead.' },
  },
  listProviderCatalog: {
    method: 'GET',
    path: '/provider-catalog',
    summary: 'Ready-made definitions of login providers',
    role: 'member',
    input: z.object({}),
    output: z.object({ providers: z.array(CatalogProvider) }),
  },
  previewProviderProfile: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}/profile-previews',
    summary: 'What becomes of the claims of a provider by a definition. Nothing is stored',
    role: 'editor',
    readOnly: true,
    input: SettingsReference.extend({ definition: ProviderDefinition, claims: ClaimSet }),
    output: PreviewedProfile,
  },
  startTestLogin: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}/test-logins',
    summary: 'Start a test login to try the settings. The next login with the returned `state` is recorded',
    role: 'editor',
    input: SettingsReference,
    output: TestLogin,
    faults: { conflict: 'The settings are incomplete or disabled.' },
  },
  readTestLogin: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}/test-logins/{state}',
    summary:
      'Outcome of a test login, with the data that the provider sent. Only the member who started it can read it, for ten minutes',
    role: 'editor',
    input: SettingsReference.extend({ state: Text }),
    output: TestLoginOutcome,
  },
})
