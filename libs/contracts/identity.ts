import { z } from 'zod'
import { contract } from './define.ts'
import { Account, siteSettings } from './objects/site.ts'
import { Link, User } from './objects/user.ts'
import { Provider } from './providers.ts'
import { Count, Identifier, Moment, PrimaryKey, ProviderUserId, Sha256, Site, Slug, Timestamp } from './scalars.ts'

/** What each gateway holds in memory of a site. */
export const SiteRecord = z.object({
  site: Site,
  account: Slug,
  site_id: Slug,
  requests_per_window: Count,
  /** Empty: no restriction. */
  allowed_addresses: z.array(z.string()),
  fixed_address_option: z.boolean(),
  /** Live API keys by their SHA-256, hexadecimal. */
  keys: z.array(z.object({ api_key_id: z.uuid(), key_hash: z.string() })),
  revision: Count,
})
export type SiteRecord = z.infer<typeof SiteRecord>

/** All there is to a site in the console. */
export const SiteDetails = z.object({
  site: Site,
  account: Slug,
  site_id: Slug,
  ...siteSettings,
  created_at: Timestamp,
  /** Counts the changes of these settings; issued and revoked keys do not. */
  revision: Count,
})
export type SiteDetails = z.infer<typeof SiteDetails>

const { name: site_name, kind: site_kind, ...further_settings } = siteSettings

export const identity = contract(
  'identity',
  {
    listAccounts: {
      input: z.object({}),
      output: z.object({ accounts: z.array(Account) }),
      faults: [],
    },
    createAccount: {
      input: Account.pick({ account: true, name: true }),
      output: Account,
      faults: ['already_exists'],
    },
    changeAccount: {
      input: Account.pick({ account: true, name: true }).extend({ expected_revision: Count }),
      output: Account,
      faults: ['entity_not_found', 'changed_meanwhile'],
    },
    /** Sites of an account by their site_id. `entity_not_found`: there is no such account. */
    listSitesOfAccount: {
      input: z.object({ account: Slug }),
      output: z.object({ sites: z.array(SiteDetails) }),
      faults: ['entity_not_found'],
    },
    readSite: {
      input: z.object({ account: Slug, site_id: Slug }),
      output: SiteDetails,
      faults: ['entity_not_found'],
    },
    /** `entity_not_found`: there is no such account. */
    createSite: {
      input: z.object({
        account: Slug,
        site_id: Slug,
        name: site_name,
        kind: site_kind,
        ...z.object(further_settings).partial().shape,
      }),
      output: SiteDetails,
      faults: ['entity_not_found', 'already_exists'],
    },
    /** Creates the site unless account and site_id are there already, and the account with it; either way answers its number. */
    registerSite: {
      input: z.object({ account: Slug, site_id: Slug, name: z.string().min(1).max(100) }),
      output: z.object({ site: Site, created: z.boolean() }),
      faults: [],
    },
    /**
     * Changes what is given and leaves the rest. With `expected_revision` only if nobody changed the site since. What is
     * not to be stored any more is deleted in the background.
     */
    changeSite: {
      input: z.object({
        site: Site,
        expected_revision: Count.optional(),
        ...z.object(siteSettings).partial().shape,
      }),
      output: SiteDetails,
      faults: ['entity_not_found', 'changed_meanwhile'],
    },
    /** The site's keys, the revoked too, newest first. */
    listApiKeys: {
      input: z.object({ site: Site }),
      output: z.object({
        keys: z.array(
          z.object({
            api_key_id: z.uuid(),
            name: z.string(),
            last_four: z.string(),
            created_at: Timestamp,
            revoked_at: Timestamp.nullable(),
          }),
        ),
      }),
      faults: [],
    },
    /**
     * The key is in this answer only; the service keeps its hash. At most two keys of a site are live: `invalid_parameter`
     * for a third.
     */
    issueApiKey: {
      input: z.object({ site: Site, name: z.string().min(1).max(100) }),
      output: z.object({ api_key_id: z.uuid(), api_key: z.string() }),
      faults: ['entity_not_found', 'invalid_parameter'],
    },
    /** Ends a key for good; it may be repeated. */
    revokeApiKey: {
      input: z.object({ site: Site, api_key_id: z.uuid() }),
      output: z.object({}),
      faults: ['entity_not_found'],
    },
    /** Sites changed after a revision, oldest change first; `revision` is the newest there is. */
    listSites: {
      input: z.object({ after_revision: Count, limit: z.int().min(1).max(1_000) }),
      output: z.object({ sites: z.array(SiteRecord), revision: Count }),
      faults: [],
    },
    createUser: {
      input: z.object({
        site: Site,
        primary_key: PrimaryKey.optional(),
        links: z.array(z.object({ provider: Provider, provider_user_id: ProviderUserId })),
        /** Of a claimed answer: asked again with it, the user created before is answered and nobody is created. */
        command: z.uuid().optional(),
      }),
      output: z.object({ user: User, links: z.array(Link) }),
      /**
       * Nothing was created. `invalid_parameter`: an account of `links` belongs to another user (search and search_legacy
       * know the same accounts), or two are of one provider; told before `duplicated_primary_key`.
       */
      faults: ['duplicated_primary_key', 'invalid_parameter'],
    },
    /** The user that one of the ids, or both alike, denote. */
    resolveUser: {
      input: z.object({ site: Site, identifier: Identifier.optional(), primary_key: PrimaryKey.optional() }),
      output: z.object({ user: User, links: z.array(Link) }),
      /** `entity_not_found`: no id is a user's. `invalid_parameter`: two ids are given and are not the same user's. */
      faults: ['entity_not_found', 'invalid_parameter'],
    },
    /** The users of these identifiers, in their order; those who are not there are left out. */
    readUsers: {
      input: z.object({ site: Site, identifiers: z.array(Identifier).max(100) }),
      output: z.object({ users: z.array(User) }),
      faults: [],
    },
    /** The users whose identifier, primary_key or account at a provider has exactly this id. */
    findUsers: {
      input: z.object({ site: Site, id: z.string().min(1).max(255) }),
      output: z.object({ users: z.array(User) }),
      faults: [],
    },
    /** Newest logins first, at most so many. */
    listLogins: {
      input: z.object({ site: Site, identifier: Identifier, limit: z.int().min(1).max(1_000) }),
      output: z.object({ logins: z.array(z.object({ provider: Provider, logged_in_at: Timestamp })) }),
      faults: [],
    },
    /** What `mergeUsers` would make of the two; `refusal` is null, or why it would refuse. Nothing is changed. */
    previewMerge: {
      input: z.object({ site: Site, source: Identifier, destination: Identifier }),
      output: z.object({
        refusal: z.enum(['same_user', 'shared_provider']).nullable(),
        source: User,
        destination: User,
        merged: z.object({ user: User, links: z.array(Link) }),
        /** Those whose account moves from the source. */
        moved: z.array(Provider),
      }),
      faults: ['entity_not_found'],
    },
    /** The user to whom an account of a provider belongs; search and search_legacy know the same accounts. */
    findAccountHolder: {
      input: z.object({ site: Site, provider: Provider, provider_user_id: ProviderUserId }),
      output: z.object({ identifier: Identifier.nullable() }),
      faults: [],
    },
    listUsers: {
      input: z.object({
        site: Site,
        limit: z.int().min(1).max(100),
        /** Page number from 0; not together with `after`. */
        page: Count.optional(),
        /** The last identifier of the page before. */
        after: Identifier.optional(),
        /** Unix times in seconds. */
        created_since: z.int().optional(),
        logged_in_since: z.int().optional(),
        mapped: z.enum(['mapped_only', 'not_mapped_only']).optional(),
      }),
      output: z.object({ identifiers: z.array(Identifier), total: Count, more: z.boolean() }),
      faults: [],
    },
    mapPrimaryKey: {
      input: z.object({ site: Site, identifier: Identifier, primary_key: PrimaryKey, overwrite: z.boolean() }),
      output: z.object({}),
      faults: ['entity_not_found', 'already_mapped', 'duplicated_primary_key'],
    },
    unmapPrimaryKey: {
      input: z.object({ site: Site, identifier: Identifier }),
      output: z.object({}),
      faults: ['entity_not_found'],
    },
    /** Deletes the user here at once and has every other service forget it. */
    deleteUser: {
      input: z.object({ site: Site, identifier: Identifier }),
      output: z.object({}),
      faults: ['entity_not_found'],
    },
    /**
     * Links one more account to a user; one that is the user's already stays so. search and search_legacy count as one
     * provider. `recorded_at` as of `recordLogin`.
     */
    linkAccount: {
      input: z.object({ site: Site, identifier: Identifier, provider: Provider, provider_user_id: ProviderUserId }),
      output: z.object({ link: Link, recorded_at: Moment }),
      /** `provider_already_linked`: another account of the provider; told before `invalid_parameter`: the account is another user's. */
      faults: ['entity_not_found', 'provider_already_linked', 'invalid_parameter'],
    },
    /** Unlinks all of the providers or, when one is not linked, none. Data that came from them is removed everywhere. */
    unlinkProviders: {
      input: z.object({
        site: Site,
        identifier: Identifier,
        providers: z.array(Provider).min(1),
        /** Also when no provider remains. */
        nowarn: z.boolean(),
        /** Leave the combined profile as it is. */
        nomerge: z.boolean(),
      }),
      output: z.object({ unlinked: z.array(Provider) }),
      /** `operation_failed`: unlinked, but the profile is rebuilt only later. */
      faults: ['entity_not_found', 'provider_not_linked', 'last_provider', 'operation_failed'],
    },
    /**
     * Makes two users one: links, mapping, login history, count and times go to the destination, the source is deleted.
     * `invalid_parameter`: source and destination are the same. search and search_legacy count as one provider.
     */
    mergeUsers: {
      input: z.object({ site: Site, source: Identifier, destination: Identifier, nomerge: z.boolean() }),
      output: z.object({}),
      /** `operation_failed`: both have an account of one provider and nothing changed, or merged but the profile is rebuilt only later. */
      faults: ['entity_not_found', 'invalid_parameter', 'operation_failed'],
    },
    /**
     * Begins a request that a customer may repeat, or tells the answer kept of it. One who began it has it alone for some
     * seconds (`claim_seconds`); who asks meanwhile is told `unavailable`, who asks later continues the same command.
     */
    claimAnswer: {
      input: z.object({ site: Site, idempotency_key: Sha256, request: Sha256 }),
      output: z.union([z.object({ command: z.uuid() }), z.object({ kept: z.string() })]),
      /** `invalid_parameter`: the key belongs to another request. */
      faults: ['invalid_parameter'],
    },
    /** Keeps the answer of a claimed request for `kept_answer_seconds`; it may be repeated. */
    keepAnswer: {
      input: z.object({
        site: Site,
        command: z.uuid(),
        /** Sealed by who keeps it. Absent: there is none, and the request may be tried again at once. */
        answer: z.string().optional(),
        /** The user whose data the answer shows: it goes when the user goes. */
        about: Identifier.optional(),
      }),
      output: z.object({}),
      /** `entity_not_found`: the user is gone already. */
      faults: ['entity_not_found'],
    },
    /**
     * Finds or creates the user of a provider's account and counts the login; a repeat of the same `login` counts once and
     * gets the same answer. A search login finds an account linked as search_legacy, and links it as search too.
     *
     * `recorded_at` is by the clock that also orders links, unlinks and merges: it is the `obtained_at` of what the provider
     * told at this login.
     */
    recordLogin: {
      input: z.object({ site: Site, login: z.uuid(), provider: Provider, provider_user_id: ProviderUserId }),
      output: z.object({ user: User, created: z.boolean(), recorded_at: Moment }),
      faults: ['entity_not_found'],
    },
  },
  {
    /** Sites or keys changed: `listSites` has more. Also sent every second, so that a lost notice is noticed. */
    sitesChanged: { payload: z.object({ revision: Count }) },
  },
)
