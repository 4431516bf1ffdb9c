import { z } from 'zod'
import { loginProviders } from '../providers.ts'
import { Count, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteName } from './sites.ts'

const LoginProvider = z.enum(loginProviders)
const SettingsName = SiteName.extend({ provider: LoginProvider })

/** Settings of a login provider; secrets are never told, only whether there is one. */
export const ProviderSettings = z.object({
  provider: LoginProvider,
  /** Null: not set up yet. */
  login_provider_identifier: z.string().nullable(),
  client_id: z.string(),
  has_client_secret: z.boolean(),
  /** Those of `providerOptions` that are no secrets; of those that are, whether they are there, as `true`. */
  options: z.record(z.string(), z.union([z.string(), z.literal(true)])),
  official_account: z.boolean(),
  enabled: z.boolean(),
  /** When the secret ends at the provider, as a person told us; warned of beforehand. */
  client_secret_expires_at: Timestamp.nullable(),
  /** What is missing before people can log in, in words; empty: complete. */
  missing: z.array(z.string()),
  /** To be entered at the provider. */
  provider_callback: z.string(),
  notice_address: z.string().nullable(),
  /** The authorization endpoint for these settings; null until they and a callback address are complete. */
  authorize_uri: z.string().nullable(),
  revision: Count,
})

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
      client_id: z.string().min(1).max(255),
      /** Absent: the one kept stays. */
      client_secret: z.string().min(1).max(4_096).optional(),
      /** As `providerOptions` has them; a secret one that is absent stays. */
      options: z.record(z.string(), z.string()).default({}),
      official_account: z.boolean().default(false),
      enabled: z.boolean().default(true),
      client_secret_expires_at: Timestamp.nullable().default(null),
    }),
    output: ProviderSettings,
    faults: { invalid_request: 'An option is missing or is not what the provider needs.' },
  },
})
