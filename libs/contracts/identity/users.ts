import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { limits } from '../limits.ts'
import { Consent } from '../objects/consent.ts'
import { ErasureCause } from '../objects/erasure.ts'
import { EventUser } from '../objects/event.ts'
import { Metadata } from '../objects/metadata.ts'
import { Link, User } from '../objects/user.ts'
import { UserBlock } from '../objects/user-block.ts'
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

/** How callers name a user: by identifier, by primary_key, or by both, which must belong to the same user. */
const UserIds = z.object({ identifier: Identifier.optional(), primary_key: PrimaryKey.optional() })
export const named = { site: Site, ...UserIds.shape }

/**
 * Identifies a command: a repeat has no further effect and returns what the first returned, if only because its answer was
 * lost. Stored for `stored_response_seconds`.
 */
export const command = z.uuid()

/** Whether the end user does it with the own account: the audit trail of the site has an entry. */
export const byEndUser = z.boolean().default(false)

/** How long ago the provider supplied the data of a login that is recorded late, so that it does not count as newer. */
export const ageMs = Count.optional()

/**
 * Users, their links and their logins. Commands find their users when they take effect: a user whose IDs no longer match
 * is not changed.
 */
export const userProcedures = {
  createUser: {
    input: z.object({
      site: Site,
      primary_key: PrimaryKey.optional(),
      links: z.array(z.object({ provider: Provider, provider_user_id: ProviderUserId })),
      command,
    }),
    output: z.object({ user: User, links: z.array(Link) }),
    /**
     * Nothing was created. `invalid_parameter`: an account of `links` belongs to another user (search and search_legacy
     * share their accounts), or two accounts are of the same provider; checked before `duplicated_primary_key`.
     * `entity_not_found`: a repeat, and the user that the command created is deleted.
     */
    faults: ['duplicated_primary_key', 'invalid_parameter', 'entity_not_found'],
    repeatable: true,
  },
  resolveUser: {
    input: z.object(named),
    output: z.object({ user: User, links: z.array(Link) }),
    /** `entity_not_found`: no user has any of the IDs. `invalid_parameter`: the two IDs do not belong to the same user. */
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
  /** The users with these identifiers, in the given order; unknown ones are omitted. */
  readUsers: {
    input: z.object({ site: Site, identifiers: z.array(Identifier).max(100) }),
    output: z.object({ users: z.array(User) }),
    faults: [],
    repeatable: true,
    mayBeStale: true,
  },
  /** As `readUsers`, with their links. */
  readLinkedUsers: {
    input: z.object({ site: Site, identifiers: z.array(Identifier).max(100) }),
    output: z.object({ users: z.array(z.object({ user: User, links: z.array(Link) })) }),
    faults: [],
    repeatable: true,
    mayBeStale: true,
  },
  /**
   * The users of events of other services, in the given order, which name them by identifier or by link; null: the user does not
   * exist any more. `is_waiting`: events of the user are not yet in the stream.
   */
  findEventUsers: {
    input: z.object({
      users: z
        .array(z.object({ site: Site, identifier: Identifier.optional(), link_id: LinkId.optional() }))
        .max(limits.event_batch),
    }),
    output: z.object({ users: z.array(z.object({ user: EventUser.nullable(), is_waiting: z.boolean() })) }),
    faults: [],
    repeatable: true,
  },
  /** The users whose identifier, primary_key or provider account ID is exactly `id`. */
  findUsers: {
    input: z.object({ site: Site, id: Text.min(1).max(255) }),
    output: z.object({ users: z.array(User) }),
    faults: [],
    repeatable: true,
  },
  /** The newest logins first, at most `limit`. */
  listLogins: {
    input: z.object({ site: Site, identifier: Identifier, limit: z.int().min(1).max(1_000) }),
    output: z.object({ logins: z.array(z.object({ provider: Provider, logged_in_at: Timestamp })) }),
    faults: [],
    repeatable: true,
  },
  /** The result that `mergeUsers` would have, without changing anything. `conflict`: why the users cannot be merged, or null. */
  previewMerge: {
    input: z.object({ site: Site, source: Identifier, destination: Identifier }),
    output: z.object({
      conflict: z.enum(['same_user', 'shared_provider']).nullable(),
      source: User,
      destination: User,
      /** Replicas of an earlier release give no metadata or no consents. */
      merged: z.object({
        user: User,
        links: z.array(Link),
        metadata: Metadata.optional(),
        consents: z.array(Consent).optional(),
      }),
      /** The links that the merge moves from the source. */
      moved: z.array(Link),
    }),
    faults: ['entity_not_found'],
    repeatable: true,
  },
  mapPrimaryKey: {
    input: z.object({ site: Site, identifier: Identifier, primary_key: PrimaryKey, overwrite: z.boolean(), command }),
    output: z.object({}),
    faults: ['entity_not_found', 'already_mapped', 'duplicated_primary_key'],
    repeatable: true,
  },
  unmapPrimaryKey: {
    input: z.object({ ...named, command }),
    output: z.object({}),
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
  /** Blocks the user, or changes the block: no login succeeds, and sessions and tokens end at once. */
  blockUser: {
    input: z.object({
      ...named,
      ...UserBlock.omit({ since: true }).shape,
      /** A user who is blocked stays as they are. */
      keeps_block: z.boolean().optional(),
      command,
    }),
    output: z.object({}),
    /** `invalid_parameter` with the field `until`: it is in the past. */
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
  /** Lets a blocked user log in again. Nothing changes for a user who is not blocked. */
  unblockUser: {
    input: z.object({
      ...named,
      /** Only if this one blocked the user. */
      only_by: UserBlock.shape.by.optional(),
      command,
    }),
    output: z.object({}),
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
  /** Ends all sessions of the user: the next login needs the login provider again. Issued access and refresh tokens end as well. */
  endUserSessions: {
    input: z.object({ ...named, command }),
    output: z.object({}),
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
  /** Deletes the user, and enqueues the deletion of the user's data in the other services. */
  deleteUser: {
    input: z.object({ ...named, command, requested_by: ErasureCause.default('web_api') }),
    output: z.object({}),
    faults: ['entity_not_found', 'invalid_parameter'],
    repeatable: true,
  },
  /**
   * Merges two users: links, mapping, login history, login count and times move to the destination, and the source is
   * deleted. search and search_legacy count as one provider.
   */
  mergeUsers: {
    input: z.object({ site: Site, source: UserIds, destination: UserIds, nomerge: z.boolean(), command }),
    output: z.object({}),
    /**
     * `invalid_parameter`: source and destination are the same; or, with the field `source` or `destination`, its two IDs do
     * not belong to the same user. Checked before `entity_not_found`.
     *
     * `operation_failed`: both users have an account of the same provider, and nothing changed; or they are merged, but the
     * profile is recombined later.
     */
    faults: ['entity_not_found', 'invalid_parameter', 'operation_failed'],
    repeatable: true,
  },
  /**
   * Finds or creates the user of a provider account and counts the login. Idempotent by `login`. A search login finds an
   * account linked as search_legacy, and also links it as search.
   *
   * `recorded_at` is from the clock that also orders links, unlinks and merges. Use it as the `obtained_at` of the data that
   * the provider supplied at this login.
   */
  recordLogin: {
    input: z.object({
      site: Site,
      login: z.uuid(),
      provider: Provider,
      provider_user_id: ProviderUserId,
      age_ms: ageMs,
      /** Whether the login of an account without a user creates one; otherwise it is rejected. */
      create_user: z.boolean().default(true),
    }),
    output: z.object({ user: User, link_id: LinkId, created: z.boolean(), recorded_at: PreciseTimestamp }),
    /**
     * `entity_not_found`: the site does not exist, the account has no user and `create_user` is false, or the account of a
     * repeated login is unlinked or its user deleted. `user_blocked`: nothing is recorded.
     */
    faults: ['entity_not_found', 'user_blocked'],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
