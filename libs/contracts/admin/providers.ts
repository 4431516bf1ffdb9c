import { z } from 'zod'
import { enteredProviderSettings, LoginProvider, ProviderSettings } from '../objects/provider-settings.ts'
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
})
