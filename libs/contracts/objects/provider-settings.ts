import { z } from 'zod'
import { LoginProvider } from '../providers.ts'
import { Count, Text, Timestamp } from '../scalars.ts'

/** Settings of a login provider; secrets are never told, only whether there is one. */
export const ProviderSettings = z.object({
  provider: LoginProvider,
  /** Null: not set up yet. */
  login_provider_identifier: z.string().nullable(),
  client_id: z.string(),
  has_client_secret: z.boolean(),
  /** Those that are no secrets; of those that are, whether they are set, as `true`. */
  options: z.record(z.string(), z.union([z.string(), z.literal(true)])),
  official_account: z.boolean(),
  enabled: z.boolean(),
  /** When the secret ends at the provider, as a person told us; warned of beforehand. */
  client_secret_expires_at: Timestamp.nullable(),
  /** What is missing before people can log in, in words; empty: complete. */
  missing: z.array(z.string()),
  /** To be entered at the provider; the same before the settings are and after. */
  provider_callback: z.string(),
  /** The first of `notice_addresses`. */
  notice_address: z.string().nullable(),
  /** To be entered at the provider for its notices, by what they are about; empty where it sends none. */
  notice_addresses: z.record(z.string(), z.string()),
  /** The authorization endpoint for these settings; null until they and a callback address are complete. */
  authorize_uri: z.string().nullable(),
  /** Counts the changes; 0 of what is not set up yet. */
  revision: Count,
})
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** What a person enters of a provider's settings. */
export const providerSettingsInput = {
  client_id: Text.min(1).max(255),
  /** Absent: the one kept stays. */
  client_secret: Text.min(1).max(4_096).optional(),
  /** As the provider's description has them; a secret one that is absent stays, one that is empty is removed. */
  options: z.record(Text, Text).default({}),
  official_account: z.boolean().default(false),
  enabled: z.boolean().default(true),
  client_secret_expires_at: Timestamp.nullable().default(null),
} as const
