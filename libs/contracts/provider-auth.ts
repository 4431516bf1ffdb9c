import { z } from 'zod'
import { availabilityNotice, defineContract } from './define.ts'
import { ProviderError } from './friendship.ts'
import { limits } from './limits.ts'
import { Credential, CredentialFreshness } from './objects/credential.ts'
import { DataRecipient } from './objects/data-recipient.ts'
import { DeletedLinks } from './objects/deleted-links.ts'
import { BrowserFamily } from './objects/login-record.ts'
import { prepareErasureProcedure } from './objects/prepare-erasure.ts'
import { siteCopyProcedures } from './objects/site-copy.ts'
import { deleteSiteProcedure } from './objects/site-deletion.ts'
import { ConflictRule, ImportOutcome, UserRecord } from './objects/user-record.ts'
import { accountPageProcedures } from './provider-auth/account-page.ts'
import { clientProcedures } from './provider-auth/clients.ts'
import { erasureReceiptProcedures } from './provider-auth/erasure.ts'
import { hostProcedures } from './provider-auth/hosts.ts'
import { lookProcedures } from './provider-auth/look.ts'
import { settingsProcedures } from './provider-auth/settings.ts'
import { termsProcedures } from './provider-auth/terms.ts'
import { Provider } from './providers.ts'
import { Identifier, LinkId, PreciseTimestamp, Site, Text, Timestamp } from './scalars.ts'

export const providerAuthContract = defineContract(
  'providerAuth',
  {
    ...clientProcedures,
    ...settingsProcedures,
    ...hostProcedures,
    ...lookProcedures,
    ...accountPageProcedures,
    ...termsProcedures,
    ...erasureReceiptProcedures,
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
    /** The applications that received data of the user with these links, the latest first. */
    readDataRecipients: {
      input: z.object({ site: Site, link_ids: z.array(LinkId) }),
      output: z.object({ recipients: z.array(DataRecipient) }),
      faults: [],
      repeatable: true,
    },
    /** The sessions of a user in all browsers, the one that was used last first. */
    readUserSessions: {
      input: z.object({ site: Site, identifier: Identifier }),
      output: z.object({
        sessions: z.array(
          z.object({
            link_id: LinkId,
            provider: Provider,
            /** Absent from sessions of an earlier release. */
            browser: BrowserFamily.optional(),
            /** When identity recorded the login. */
            recorded_at: PreciseTimestamp,
            started_at: Timestamp,
            last_used_at: Timestamp,
          }),
        ),
      }),
      faults: [],
      repeatable: true,
    },
    /**
     * Permanently deletes the credentials of links and revokes the codes and tokens that were issued for their logins,
     * and the user's association tokens issued until `deleted_at`.
     */
    deleteLinks: { input: DeletedLinks, output: z.object({}), faults: [], repeatable: true },
    prepareErasure: prepareErasureProcedure,
    /** Issues a token with which the user's browser links another account; the user's earlier token becomes invalid. */
    issueAssociationToken: {
      input: z.object({
        site: Site,
        identifier: Identifier,
        provider: Provider,
        /** Whether the Web API was called on a host of the site, so that `authenticate_uri` is on one, too. */
        own_host: z.boolean().default(false),
      }),
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
      /** `recorded_at`: of the login; absent from an earlier release. */
      output: z.object({ identifier: Identifier, recorded_at: PreciseTimestamp.optional() }),
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
    /**
     * Closes a site: its clients, login pages, hosts and tokens do not exist any more, and it has no provider settings. Idempotent.
     */
    closeSite: { input: z.object({ site: Site }), output: z.object({}), faults: [], repeatable: true },
    deleteSite: deleteSiteProcedure,
    ...siteCopyProcedures,
    /**
     * Ends the service of a frozen site on all hosts here, because another cell serves it. Does nothing if the claim has ended.
     * Idempotent.
     */
    retireHosts: {
      input: z.object({ site: Site, claim: z.string() }),
      output: z.object({}),
      faults: [],
      repeatable: true,
    },
    /** Lets replicas read the hosts of a site that has arrived. Idempotent. */
    announceHosts: { input: z.object({ site: Site }), output: z.object({}), faults: [], repeatable: true },
    /** Requests the friendship status from the messaging provider with the user's access token. */
    fetchFriendshipStatus: {
      input: z.object({ site: Site, link_id: LinkId }),
      output: z.union([z.object({ friendship_status: z.boolean() }), z.object({ provider_error: ProviderError })]),
      faults: ['provider_not_linked', 'provider_settings_incomplete'],
    },
  },
  {
    ...availabilityNotice,
    /** Clients, provider settings, hosts, looks, account pages or terms changed. */
    settingsChanged: { payload: z.object({}) },
  },
)
