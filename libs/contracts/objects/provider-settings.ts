import { z } from 'zod'
import { LoginProvider } from '../providers.ts'
import { Count, Text, Timestamp } from '../scalars.ts'
import { ProviderDefinition, ProviderEndpoints } from './provider-definition.ts'

/** Settings of a login provider. Secrets are never returned, only whether they are set. */
export const ProviderSettings = z.object({
  provider: LoginProvider,
  /** How end users log in at a provider that the site configured; null for a built-in one. */
  definition: ProviderDefinition.nullable(),
  /** The addresses of such a provider, as far as its discovery document was needed. */
  endpoints: ProviderEndpoints.nullable(),
  /** Null: not set up yet. */
  login_provider_identifier: z.string().nullable(),
  client_id: z.string(),
  has_client_secret: z.boolean(),
  /** Values of the options; for a secret option, `true` if it is set. */
  options: z.record(z.string(), z.union([z.string(), z.literal(true)])),
  official_account: z.boolean(),
  enabled: z.boolean(),
  /** When the secret expires at the provider, as entered by a member; the console warns before. */
  client_secret_expires_at: Timestamp.nullable(),
  /** What is missing before end users can log in, as text; empty: complete. */
  missing: z.array(z.string()),
  /** The callback URL to enter at the provider. It does not change when the settings are saved. */
  provider_callback: z.string(),
  /** The callback URLs on further hosts of the site. Enter those too on which end users log in. */
  other_callbacks: z.array(z.string()),
  /** Where the provider returns browsers after a logout, to enter there; null: it keeps its session. */
  logout_return_uri: z.string().nullable(),
  /** The webhook URLs to enter at the provider, by topic; empty if the provider sends none. */
  webhook_uris: z.record(z.string(), z.string()),
  /** The authorization endpoint for these settings; null until they are complete and a redirect URI is registered. */
  authorize_uri: z.string().nullable(),
  /** Incremented by each change; 0 if not set up yet. */
  revision: Count,
})
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** The provider settings that a member enters. */
export const providerSettingsInput = {
  /** Required for a provider that is not built in; absent: the stored one remains. */
  definition: ProviderDefinition.optional(),
  client_id: Text.min(1).max(255),
  /** Absent: the stored secret remains. */
  client_secret: Text.min(1).max(4_096).optional(),
  /** As in the provider's description. An absent secret option remains; an empty one is removed. */
  options: z.record(Text, Text).default({}),
  official_account: z.boolean().default(false),
  enabled: z.boolean().default(true),
  client_secret_expires_at: Timestamp.nullable().default(null),
} as const
