import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { Link, User } from '../objects/user.ts'
import { Provider } from '../providers.ts'
import {
  Count,
  Identifier,
  LinkId,
  PreciseTimestamp,
  PrimaryKey,
  ProviderUserId,
  Site,
  Text,
  Timestamp,
} from '../scalars.ts'

/** Users, their links and their logins. */
export const userProcedures = {
  createUser: {
    input: z.object({
      site: Site,
      primary_key: PrimaryKey.optional(),
      links: z.array(z.object({ provider: Provider, provider_user_id: ProviderUserId })),
      /** Of a claimed answer: a repeat returns the user created before and creates none. */
      command: z.uuid().optional(),
    }),
    output: z.object({ user: User, links: z.array(Link) }),
    /**
     * Nothing was created. `invalid_parameter`: an account of `links` belongs to another user (search and search_legacy
     * know the same accounts), or two are of one provider; checked before `duplicated_primary_key`. `entity_not_found`: the user
     * that the command created is deleted.
     */
    faults: ['duplicated_primary_key', 'invalid_parameter', 'entity_not_found'],
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
    input: z.object({ site: Site, id: Text.min(1).max(255) }),
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
      conflict: z.enum(['same_user', 'shared_provider']).nullable(),
      source: User,
      destination: User,
      merged: z.object({ user: User, links: z.array(Link) }),
      /** The links that move from the source. */
      moved: z.array(Link),
    }),
    faults: ['entity_not_found'],
  },
  /**
   * The user that an account of a provider belongs to, and the link by that provider's name, or by its other name: search
   * and search_legacy have the same accounts.
   */
  findAccountHolder: {
    input: z.object({ site: Site, provider: Provider, provider_user_id: ProviderUserId }),
    output: z.object({ holder: z.object({ identifier: Identifier, link_id: LinkId }).nullable() }),
    faults: [],
  },
  listUsers: {
    input: z.object({
      site: Site,
      limit: z.int().min(1).max(100),
      /** Page number from 0; not together with `after`. */
      page: Count.optional(),
      /** By time of creation; the default is `oldest_first`. */
      order: z.enum(['oldest_first', 'newest_first']).optional(),
      /** The last identifier of the page before, in the same order. */
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
    output: z.object({ link: Link, recorded_at: PreciseTimestamp }),
    /** `provider_already_linked`: another account of the provider; checked before `invalid_parameter`: the account is another user's. */
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
   * Finds or creates the user of a provider's account and counts the login; a repeat of the same `login` counts once and
   * gets the same answer. A search login finds an account linked as search_legacy, and links it as search too.
   *
   * `recorded_at` is by the clock that also orders links, unlinks and merges: it is the `obtained_at` of what the provider
   * supplied at this login.
   */
  recordLogin: {
    input: z.object({ site: Site, login: z.uuid(), provider: Provider, provider_user_id: ProviderUserId }),
    output: z.object({ user: User, link_id: LinkId, created: z.boolean(), recorded_at: PreciseTimestamp }),
    /** `entity_not_found`: there is no such site, or the account of a repeated login is unlinked. */
    faults: ['entity_not_found'],
  },
} as const satisfies Record<string, Procedure>
