import { z } from 'zod'
import { availabilityNotice, defineContract } from './define.ts'
import { ProviderError } from './friendship.ts'
import { limits } from './limits.ts'
import { Client, clientSettings } from './objects/client.ts'
import { Credential, CredentialFreshness } from './objects/credential.ts'
import { DeletedLinks } from './objects/deleted-links.ts'
import { ExistingClientId, ExistingSecret } from './objects/existing-secret.ts'
import { ClaimSet, PreviewedProfile, ProviderDefinition } from './objects/provider-definition.ts'
import { ProviderSettings, providerSettingsInput } from './objects/provider-settings.ts'
import { CallbackRules } from './objects/site.ts'
import { TestLogin, TestLoginOutcome } from './objects/test-login.ts'
import { ConflictRule, ImportOutcome, UserRecord } from './objects/user-record.ts'
import { LoginProvider, Provider } from './providers.ts'
import { Count, Identifier, LinkId, Site, Slug, Text, Timestamp } from './scalars.ts'

const ClientName = z.object({ site: Site, client_id: Text })
const { pkce, id_token_alg, response_types, callback_by_domain, token_exchange } = clientSettings
/** `by` is the member who runs the test login; only this member may read the result. */
const tested = { site: Site, provider: LoginProvider, by: z.string().min(1) }

export const providerAuthContract = defineContract(
  'providerAuth',
  {
    /**
     * Registers a client of a site. Only this response contains the secret; a public client has none and must use PKCE.
     */
    registerClient: {
      input: z.object({
        site: Site,
        name: clientSettings.name,
        kind: Client.shape.kind,
        redirect_uris: clientSettings.redirect_uris,
        post_logout_redirect_uris: clientSettings.post_logout_redirect_uris.default([]),
        callback_by_domain: callback_by_domain.default(false),
        token_exchange: token_exchange.default(false),
        response_types: response_types.default(['code', 'id_token']),
        /** Absent: the least strict value that the kind allows. */
        pkce: pkce.optional(),
        id_token_alg: id_token_alg.default('RS256'),
        /** What another service issued; absent: new values. The secret is null for a public client. */
        existing: z.object({ client_id: ExistingClientId, client_secret: ExistingSecret.nullable() }).optional(),
      }),
      output: z.object({ client_id: z.string(), client_secret: z.string().nullable(), client: Client }),
      /**
       * `invalid_parameter`: a redirect URI that is invalid or violates the site's rules, or a public client without
       * PKCE, or with a secret. `entity_not_found`: the site does not exist. `already_exists`: a client has the existing client ID.
       */
      faults: ['invalid_parameter', 'entity_not_found', 'already_exists'],
    },
    listClients: {
      input: z.object({ site: Site }),
      output: z.object({ clients: z.array(Client) }),
      faults: [],
      repeatable: true,
    },
    readClient: { input: ClientName, output: Client, faults: ['entity_not_found'], repeatable: true },
    /** Changes the given fields only. `invalid_parameter` as in `registerClient`. */
    changeClient: {
      input: ClientName.extend({ expected_revision: Count, ...z.object(clientSettings).partial().shape }),
      output: Client,
      faults: ['entity_not_found', 'changed_meanwhile', 'invalid_parameter'],
    },
    /** Deletes a client permanently; its codes and tokens become invalid immediately. */
    removeClient: { input: ClientName, output: z.object({}), faults: ['entity_not_found'] },
    /** Only this response contains the secret. `invalid_parameter`: the client is public, or has two valid secrets. */
    issueClientSecret: {
      input: ClientName,
      output: z.object({ secret_id: z.string(), client_secret: z.string() }),
      faults: ['entity_not_found', 'invalid_parameter'],
    },
    /** `invalid_parameter`: it is the client's only secret. */
    revokeClientSecret: {
      input: ClientName.extend({ secret_id: Text }),
      output: z.object({}),
      faults: ['entity_not_found', 'invalid_parameter'],
    },
    /**
     * First half of a change of a site's callback rules: checks the registered redirect URIs against the new rules. If
     * all satisfy them, new redirect URIs must too, until the site's revision is greater than `expected_revision` or, if
     * the change is never made, for one minute. `rejected` has at most 100 entries.
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
      repeatable: true,
    },
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
    /**
     * The decrypted credentials of links. Expired tokens are refreshed first if the provider responds in time; otherwise
     * they are returned as they are. Links without a credential are absent.
     */
    readCredentials: {
      input: z.object({ site: Site, link_ids: z.array(LinkId) }),
      output: z.object({ credentials: z.record(LinkId, Credential) }),
      faults: [],
      repeatable: true,
    },
    /** The credentials of links as they are stored, without a refresh, for an export. Links without one are absent. */
    exportCredentials: {
      input: z.object({ site: Site, link_ids: z.array(LinkId) }),
      output: z.object({ credentials: z.record(LinkId, Credential) }),
      faults: [],
      repeatable: true,
    },
    /** The state of the credentials of links, without tokens and without a request to the provider. */
    readCredentialFreshness: {
      input: z.object({ site: Site, link_ids: z.array(LinkId) }),
      output: z.object({ credentials: z.record(LinkId, CredentialFreshness) }),
      faults: [],
      repeatable: true,
    },
    /**
     * Permanently deletes the credentials of links and revokes the codes and tokens that were issued for their logins,
     * and the user's association tokens issued until `deleted_at`.
     */
    deleteLinks: { input: DeletedLinks, output: z.object({}), faults: [], repeatable: true },
    /** Issues a token with which the user's browser links another account; the user's earlier token becomes invalid. */
    issueAssociationToken: {
      input: z.object({ site: Site, identifier: Identifier, provider: Provider }),
      output: z.object({ token: z.string(), expired_at: Timestamp, authenticate_uri: z.string() }),
      faults: ['provider_settings_incomplete'],
    },
    /**
     * Redeems a one-time token and returns its user. A token can be redeemed by one command, and until it expires. With
     * `preserve` it is not redeemed: it stays valid, unless another command has redeemed it.
     */
    redeemOneTimeToken: {
      input: z.object({
        site: Site,
        token: Text.min(1).max(255),
        command: z.uuid(),
        preserve: z.boolean().default(false),
      }),
      output: z.object({ identifier: Identifier }),
      faults: ['invalid_authentication_token'],
      repeatable: true,
    },
    /**
     * Imports users with their accounts, tokens, profiles and friend status. A repeat with the command has the same outcomes. After a
     * crash, a job completes the batch.
     */
    importRecords: {
      input: z.object({
        site: Site,
        command: z.uuid(),
        conflict: ConflictRule,
        users: z.array(UserRecord).min(1).max(limits.import_batch_users),
      }),
      output: z.object({ outcomes: z.array(ImportOutcome) }),
      /** `entity_not_found`: the site does not exist. */
      faults: ['entity_not_found'],
      repeatable: true,
    },
    /** Requests the friendship status from the messaging provider with the user's access token. */
    fetchFriendshipStatus: {
      input: z.object({ site: Site, link_id: LinkId }),
      output: z.union([z.object({ friendship_status: z.boolean() }), z.object({ provider_error: ProviderError })]),
      faults: ['provider_not_linked', 'provider_settings_incomplete'],
    },
  },
  {
    ...availabilityNotice,
    /** Clients or provider settings changed. */
    settingsChanged: { payload: z.object({}) },
  },
)
