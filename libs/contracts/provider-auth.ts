import { z } from 'zod'
import { defineContract } from './define.ts'
import { ProviderError } from './friendship.ts'
import { Client, clientSettings } from './objects/client.ts'
import { Credential, CredentialFreshness } from './objects/credential.ts'
import { DeletedLinks } from './objects/deleted-links.ts'
import { ProviderSettings, providerSettingsInput } from './objects/provider-settings.ts'
import { CallbackRules } from './objects/site.ts'
import { TestLogin, TestLoginOutcome } from './objects/test-login.ts'
import { LoginProvider, Provider } from './providers.ts'
import { Count, Identifier, LinkId, Site, Slug, Text, Timestamp } from './scalars.ts'

const ClientName = z.object({ site: Site, client_id: Text })
const { pkce, id_token_alg, response_types } = clientSettings
/** `by` names who tries the settings, and alone may know what came of it. */
const tested = { site: Site, provider: LoginProvider, by: z.string().min(1) }

export const providerAuth = defineContract('providerAuth', {
  /** Registers a client of a site. The secret is in this answer only; a public client has none and must use PKCE. */
  registerClient: {
    input: z.object({
      site: Site,
      name: clientSettings.name,
      kind: Client.shape.kind,
      redirect_uris: clientSettings.redirect_uris,
      post_logout_redirect_uris: clientSettings.post_logout_redirect_uris.default([]),
      response_types: response_types.default(['code', 'id_token']),
      /** Absent: as little as the kind allows. */
      pkce: pkce.optional(),
      id_token_alg: id_token_alg.default('RS256'),
    }),
    output: z.object({ client_id: z.string(), client_secret: z.string().nullable(), client: Client }),
    /**
     * `invalid_parameter`: a redirect_uri that may not be registered, at all or for this site, or a public client without
     * PKCE. `entity_not_found`: there is no such site.
     */
    faults: ['invalid_parameter', 'entity_not_found'],
  },
  listClients: {
    input: z.object({ site: Site }),
    output: z.object({ clients: z.array(Client) }),
    faults: [],
  },
  readClient: { input: ClientName, output: Client, faults: ['entity_not_found'] },
  /** Changes what is given and leaves the rest. `invalid_parameter` as of `registerClient`. */
  changeClient: {
    input: ClientName.extend({ expected_revision: Count, ...z.object(clientSettings).partial().shape }),
    output: Client,
    faults: ['entity_not_found', 'changed_meanwhile', 'invalid_parameter'],
  },
  /** Removes a client for good; its codes and tokens end at once. */
  removeClient: { input: ClientName, output: z.object({}), faults: ['entity_not_found'] },
  /** The secret is in this answer only. `invalid_parameter`: the client is public, or two secrets are live. */
  issueClientSecret: {
    input: ClientName,
    output: z.object({ secret_id: z.string(), client_secret: z.string() }),
    faults: ['entity_not_found', 'invalid_parameter'],
  },
  /** `invalid_parameter`: it is the only one. */
  revokeClientSecret: {
    input: ClientName.extend({ secret_id: Text }),
    output: z.object({}),
    faults: ['entity_not_found', 'invalid_parameter'],
  },
  /**
   * First half of a change of a site's callback rules: checks registered callback addresses against the new rules. If all
   * satisfy them, new addresses must, too, until the site's revision is greater than `expected_revision` or, if the change
   * is never made, a minute has passed. `rejected` has at most a hundred addresses.
   */
  prepareCallbackRules: {
    input: CallbackRules.extend({ site: Site, expected_revision: Count }),
    output: z.object({
      rejected: z.array(
        z.object({
          client_id: z.string(),
          client: z.string(),
          redirect_uri: z.string(),
          reason: z.enum(['not_https', 'outside_domains']),
        }),
      ),
    }),
    faults: [],
  },
  /** A site's settings of every login provider, set up or not. */
  listProviderSettings: {
    input: z.object({ site: Site }),
    output: z.object({ providers: z.array(ProviderSettings) }),
    faults: [],
  },
  readProviderSettings: {
    input: z.object({ site: Site, provider: LoginProvider }),
    output: ProviderSettings,
    faults: [],
  },
  /**
   * As `saveProviderSettings`, if nobody changed them since `expected_revision`, which is 0 of what is not set up; secrets
   * that are absent stay.
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
    faults: ['changed_meanwhile', 'invalid_parameter'],
  },
  /**
   * Creates or replaces a site's settings of a login provider. Account and site_id become part of the addresses of the
   * site's own login pages; the settings' identifier stays the same when they are replaced.
   */
  saveProviderSettings: {
    input: z.object({
      site: Site,
      account: Slug,
      site_id: Slug,
      provider: Provider,
      client_id: Text.min(1).max(255),
      client_secret: Text.min(1).max(2_048),
      /** As the provider's description has them. */
      options: z.record(Text, Text).default({}),
      /** Messaging only: an official account is tied to the login channel. */
      official_account: z.boolean().default(false),
      enabled: z.boolean().default(true),
    }),
    output: z.object({
      login_provider_identifier: z.string(),
      /** The address to register as callback at the provider. */
      provider_callback: z.string(),
      /** The authorization endpoint's address for these settings, without query. */
      authorize_uri: z.string(),
      /** Addresses to enter at the provider for its notices, by what they are about; empty where it sends none. */
      webhook_uris: z.record(z.string(), z.string()),
    }),
    /** `invalid_parameter`: the provider is closed to new use, or its options or its secret are not what it needs. */
    faults: ['invalid_parameter'],
  },
  /** Lets one login through these settings be looked at. `provider_settings_incomplete`: nobody can log in by them yet. */
  beginTestLogin: { input: z.object(tested), output: TestLogin, faults: ['provider_settings_incomplete'] },
  /** `entity_not_found`: there is none any more, or somebody else began it. */
  readTestLogin: {
    input: z.object({ ...tested, state: z.string() }),
    output: TestLoginOutcome,
    faults: ['entity_not_found'],
  },
  /** Providers whose settings are complete, in the order of the specification's table. */
  listProviders: {
    input: z.object({ site: Site }),
    output: z.object({ providers: z.array(Provider) }),
    faults: [],
  },
  /**
   * The credentials of links, decrypted. Expired tokens are renewed first, if the provider does it in time; otherwise they are
   * returned as they are. Links without a credential are absent.
   */
  readCredentials: {
    input: z.object({ link_ids: z.array(LinkId) }),
    output: z.object({ credentials: z.record(LinkId, Credential) }),
    faults: [],
  },
  /** The state of the credentials of links, without tokens and without asking a provider. */
  readCredentialFreshness: {
    input: z.object({ link_ids: z.array(LinkId) }),
    output: z.object({ credentials: z.record(LinkId, CredentialFreshness) }),
    faults: [],
  },
  /**
   * Deletes the credentials of links for good and revokes every code and token that was issued for their logins; the
   * user's association tokens issued until `deleted_at`, too.
   */
  deleteLinks: { input: DeletedLinks, output: z.object({}), faults: [] },
  /** A token with which the user's browser links one more provider; an earlier one of the user becomes invalid. */
  issueAssociationToken: {
    input: z.object({ site: Site, identifier: Identifier, provider: Provider }),
    output: z.object({ token: z.string(), expired_at: Timestamp, authenticate_uri: z.string() }),
    faults: ['provider_settings_incomplete'],
  },
  /** The user of a one-time token, which is used up by this. */
  redeemOneTimeToken: {
    input: z.object({ site: Site, token: Text.min(1).max(255) }),
    output: z.object({ identifier: Identifier }),
    faults: ['invalid_authentication_token'],
  },
  /** Asks the messaging provider with the user's access token whether the user is a friend of the official account. */
  fetchFriendshipStatus: {
    input: z.object({ site: Site, link_id: LinkId }),
    output: z.union([z.object({ friendship_status: z.boolean() }), z.object({ provider_error: ProviderError })]),
    faults: ['provider_not_linked', 'provider_settings_incomplete'],
  },
})
