import { z } from 'zod'
import { enteredProviderSettings, LoginProvider, ProviderSettings } from '../objects/provider-settings.ts'
import { TestLogin, TestLoginOutcome } from '../objects/test-login.ts'
import { adminProcedures } from './procedure.ts'
import { SiteName } from './sites.ts'

export { ProviderSettings } from '../objects/provider-settings.ts'

const SettingsName = SiteName.extend({ provider: LoginProvider })

export const providerProcedures = adminProcedures({
  listProviderSettings: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/providers',
    summary: 'Every login provider, set up or not',
    role: 'viewer',
    input: SiteName,
    output: z.object({ providers: z.array(ProviderSettings) }),
  },
  readProviderSettings: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}',
    summary: 'Settings of a login provider',
    role: 'viewer',
    versioned: true,
    input: SettingsName,
    output: ProviderSettings,
  },
  saveProviderSettings: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}',
    summary: 'Set up a login provider or change its settings; in force on every replica within a second',
    role: 'editor',
    versioned: true,
    input: SettingsName.extend({
      ...enteredProviderSettings,
    }),
    output: ProviderSettings,
    faults: { invalid_request: 'An option is missing or is not what the provider needs.' },
  },
  beginTestLogin: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}/test-logins',
    summary: 'Have the next login with the `state` told be looked at, to try the settings',
    role: 'editor',
    input: SettingsName,
    output: TestLogin,
    faults: { conflict: 'The settings are not complete, or not in use.' },
  },
  readTestLogin: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/providers/{provider}/test-logins/{state}',
    summary: 'What came of a test login, with what the provider told; for who began it alone, for ten minutes',
    role: 'editor',
    input: SettingsName.extend({ state: z.string() }),
    output: TestLoginOutcome,
  },
})
