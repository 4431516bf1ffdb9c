import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { ClaimSet, PreviewedProfile, ProviderDefinition } from '../objects/provider-definition.ts'
import { ProviderSettings, providerSettingsInput } from '../objects/provider-settings.ts'
import { TestLogin, TestLoginOutcome } from '../objects/test-login.ts'
import { LoginProvider, Provider } from '../providers.ts'
import { Count, Site, Slug, Text } from '../scalars.ts'

/** `by` is the member who runs the test login; only this member may read the result. */
const tested = { site: Site, provider: LoginProvider, by: z.string().min(1) }

/** The settings of sites for login providers, and test logins with them. */
export const settingsProcedures = {
  /** A site's settings for every login provider, configured or not. */
  listProviderSettings: {
    input: z.object({ site: Site }),
    output: z.object({ providers: z.array(ProviderSettings) }),
    faults: [],
    repeatable: true,
  },
  readProviderSettings: {
    input: z.object({ site: Site, provider: LoginProvider }),
    output: ProviderSettings,
    /** The site has already asked for more providers than it can configure. */
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /**
   * As `saveProviderSettings`, unless the settings have changed since `expected_revision`, which is 0 for settings that
   * do not exist. Absent secrets stay.
   */
  changeProviderSettings: {
    input: z.object({
      site: Site,
      account: Slug,
      site_id: Slug,
      provider: LoginProvider,
      expected_revision: Count,
      ...providerSettingsInput,
    }),
    output: ProviderSettings,
    faults: ['changed_meanwhile', 'entity_not_found', 'invalid_parameter'],
  },
  /**
   * Creates or replaces a site's settings for a login provider. Account and site_id become part of the site's own login
   * URLs; the settings' identifier never changes.
   */
  saveProviderSettings: {
    input: z.object({
      site: Site,
      account: Slug,
      site_id: Slug,
      provider: Provider,
      client_id: Text.min(1).max(255),
      client_secret: Text.min(1).max(2_048),
      /** As the provider's description defines them. */
      options: z.record(Text, Text).default({}),
      /** Messaging only: an official account is linked to the login channel. */
      official_account: z.boolean().default(false),
      enabled: z.boolean().default(true),
    }),
    output: z.object({
      login_provider_identifier: z.string(),
      /** The redirect URI to register at the provider. */
      provider_callback: z.string(),
      /** The authorization endpoint for these settings, without query. */
      authorize_uri: z.string(),
      /** The webhook URIs to enter at the provider, by topic; empty if the provider has no webhooks. */
      webhook_uris: z.record(z.string(), z.string()),
    }),
    /** `invalid_parameter`: the provider cannot be used for new logins, or its options or secret are invalid. */
    faults: ['invalid_parameter'],
  },
  /** What becomes of claims by the rules of a definition. Nothing is stored. */
  previewProfile: {
    input: z.object({ definition: ProviderDefinition, claims: ClaimSet }),
    output: PreviewedProfile,
    faults: [],
    repeatable: true,
  },
  /**
   * Removes the settings of a provider that the site configured. `entity_not_found`: there are none; `already_exists`: users have
   * logged in with it.
   */
  removeProviderSettings: {
    input: z.object({ site: Site, provider: LoginProvider, expected_revision: Count }),
    output: z.object({}),
    faults: ['changed_meanwhile', 'entity_not_found', 'already_exists'],
  },
  /** Starts a test login with these settings. `provider_settings_incomplete`: end users cannot log in with them yet. */
  beginTestLogin: { input: z.object(tested), output: TestLogin, faults: ['provider_settings_incomplete'] },
  /** `entity_not_found`: the test login has expired, or another member started it. */
  readTestLogin: {
    input: z.object({ ...tested, state: z.string() }),
    output: TestLoginOutcome,
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /** The names that a site gave to providers that it configured, enabled or not, sorted. */
  listConfiguredProviders: {
    input: z.object({ site: Site }),
    output: z.object({ providers: z.array(Provider) }),
    faults: [],
    repeatable: true,
  },
  /** Providers whose settings are complete, in the order of the specification's table; configured ones follow. */
  listProviders: {
    input: z.object({ site: Site }),
    output: z.object({ providers: z.array(Provider) }),
    faults: [],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
