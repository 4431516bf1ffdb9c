import { z } from 'zod'
import { profileFields, profileItems } from '../profile-items.ts'
import { Provider } from '../providers.ts'
import { Count, Identifier, LinkId, PreciseTimestamp, PrimaryKey, Site, Timestamp } from '../scalars.ts'
import { Consent } from './consent.ts'
import { StoredMetadata } from './metadata.ts'
import { CombinedProfile } from './profile.ts'
import { DeletionCause } from './user.ts'

/** A type of event: when it happens, its data, and an example of the data for the documentation. */
interface EventTypeDescription {
  readonly summary: string
  readonly data: z.ZodObject
  readonly example: Readonly<Record<string, unknown>>
}

const nothing = z.object({})
const ofProvider = z.object({ provider: Provider })

/** All types of events. The data has no secrets. `user` has the IDs after the change. */
export const eventTypes = {
  'user.created': {
    summary: 'A user was created, with these linked accounts.',
    data: z.object({
      created_by: z.enum(['login', 'web_api', 'import']),
      created_at: Timestamp,
      providers: z.array(Provider),
    }),
    example: { created_by: 'login', created_at: '2026-05-12T03:21:45Z', providers: ['messaging'] },
  },
  'user.logged_in': {
    summary: 'A user logged in.',
    data: ofProvider.extend({ login_count: Count }),
    example: { provider: 'messaging', login_count: 3 },
  },
  'user.mapped': {
    summary: 'An existing user got a `primary_key`, or another one.',
    data: z.object({ primary_key: PrimaryKey, previous_primary_key: PrimaryKey.nullable() }),
    example: { primary_key: 'customer-42', previous_primary_key: null },
  },
  'user.unmapped': {
    summary: 'A user lost the `primary_key`.',
    data: z.object({ previous_primary_key: PrimaryKey }),
    example: { previous_primary_key: 'customer-42' },
  },
  'user.linked': {
    summary: 'A provider account was linked to an existing user.',
    data: ofProvider,
    example: { provider: 'messaging' },
  },
  'user.unlinked': {
    summary: 'A provider account was unlinked from a user.',
    data: ofProvider,
    example: { provider: 'messaging' },
  },
  'user.merged': {
    summary: 'Another user, `merged_user`, was merged into the user and no longer exists.',
    data: z.object({
      moved_providers: z.array(Provider),
      login_count: Count,
      previous_primary_key: PrimaryKey.nullable(),
    }),
    example: { moved_providers: ['search'], login_count: 12, previous_primary_key: null },
  },
  'user.blocked': {
    summary: 'A user was blocked, or the block changed: no login succeeds `until` then; null: until `user.unblocked`.',
    data: z.object({ until: Timestamp.nullable() }),
    example: { until: null },
  },
  'user.unblocked': { summary: 'A blocked user may log in again.', data: nothing, example: {} },
  'user.metadata_changed': {
    summary:
      'The metadata of a user changed. The data has both parts after the change, and `client_id` if an application changed it with the access token of the user.',
    data: StoredMetadata.extend({ client_id: z.string().optional() }),
    example: { user_metadata: { language: 'ja' }, app_metadata: { plan: 'premium' }, revision: 2 },
  },
  'user.deletion_requested': {
    summary:
      'A user asked on the account page to be deleted (`user_request`), or no longer logs in (`inactivity`). It happens `delete_at`, unless it is canceled.',
    data: z.object({ delete_at: Timestamp, cause: DeletionCause.default('user_request') }),
    example: { delete_at: '2030-01-31T10:00:00Z', cause: 'inactivity' },
  },
  'user.deletion_canceled': {
    summary:
      'A requested or announced deletion will not happen: the user wants to stay or logged in, or an administrator kept the user.',
    data: nothing,
    example: {},
  },
  'user.consents_changed': {
    summary: 'A user answered to documents of the site. The data has the latest answer to each document.',
    data: z.object({ consents: z.array(Consent) }),
    example: { consents: [{ document: 'terms', version: 2, accepted: true, answered_at: '2026-05-12T03:21:45Z' }] },
  },
  'user.sessions_ended': {
    summary: 'A user ended sessions of the login page on the account page: this number of them.',
    data: z.object({ sessions: Count }),
    example: { sessions: 2 },
  },
  'user.data_downloaded': { summary: 'A user downloaded their data on the account page.', data: nothing, example: {} },
  'user.access_removed': {
    summary: 'A user removed the access of an application on the account page. Its tokens have ended.',
    data: z.object({ client_id: z.string(), name: z.string().nullable() }),
    example: { client_id: 'shop-web', name: 'Shop' },
  },
  'user.deleted': { summary: 'A user was deleted.', data: nothing, example: {} },
  'profile.updated': {
    summary: 'The combined profile of a user changed.',
    data: z.object({
      /** The items whose values changed. */
      changed: z.array(z.enum(profileItems)),
      update_count: Count,
      /** The combined profile after the change, if the site has `profile_in_events`. */
      values: CombinedProfile.extend({ profile: z.object(profileFields) }).optional(),
    }),
    example: { changed: ['full_name', 'email'], update_count: 4 },
  },
  'profile.deleted': { summary: 'The stored profile data of a user was deleted.', data: nothing, example: {} },
  'profile.prohibition_changed': {
    summary: 'Storing the profile of a user was prohibited, or allowed again.',
    data: z.object({ profile_prohibited: z.boolean() }),
    example: { profile_prohibited: true },
  },
  'friendship.changed': {
    summary: 'A user became a friend of the official account, or no longer is one.',
    data: z.object({ friendship_status: z.boolean() }),
    example: { friendship_status: true },
  },
  'consent.revoked': {
    summary: 'A user revoked the consent at a login provider, or deleted the account there.',
    data: ofProvider.extend({ cause: z.enum(['consent_revoked', 'data_deletion', 'account_deleted']) }),
    example: { provider: 'social', cause: 'consent_revoked' },
  },
  'credential.reauthentication_required': {
    summary: 'The tokens of a linked account can no longer be refreshed: the user must log in again.',
    data: ofProvider,
    example: { provider: 'portal' },
  },
} as const satisfies Record<string, EventTypeDescription>

export type EventTypeName = keyof typeof eventTypes
export type EventData<T extends EventTypeName> = z.output<(typeof eventTypes)[T]['data']>

// `Object.keys` loses the type of the keys.
export const eventTypeNames = Object.keys(eventTypes) as [EventTypeName, ...EventTypeName[]]
export const EventType = z.enum(eventTypeNames)

/** The IDs of a user at an event. */
export const EventUser = z.object({ identifier: Identifier, primary_key: PrimaryKey.nullable() })
export type EventUser = z.infer<typeof EventUser>

/** A user that a service names by a link, or if the link is deleted, by the identifier. */
const UserOfLink = z.object({ link_id: LinkId, identifier: Identifier.optional() })

const content = { id: z.uuid(), type: EventType, time: PreciseTimestamp }

/**
 * An event as the service that caused it sends it. The services that do not know a user's IDs name the user by identifier or by
 * link.
 */
export const NewEvent = z
  .object({
    ...content,
    site: Site,
    user: z.union([EventUser, UserOfLink, z.object({ identifier: Identifier })]),
    /** The user that was merged into `user`. */
    merged_user: EventUser.optional(),
    data: z.record(z.string(), z.unknown()),
  })
  .superRefine(({ type, data }, context) => {
    // The service of a newer release can send more fields.
    const { error } = eventTypes[type].data.safeParse(data)
    if (error)
      context.addIssue({ code: 'custom', path: ['data'], message: `is not the data of ${type}: ${error.message}` })
  })
export type NewEvent = z.infer<typeof NewEvent>

/** An event in the stream of its site. */
export const StreamEvent = z.object({
  ...content,
  user: EventUser,
  merged_user: EventUser.optional(),
  /** The position in the stream of the site, and among the events of the user: from 1, without gaps. */
  sequence: Count,
  user_sequence: Count,
  /** Null after the user was deleted. Then `primary_key` is null as well. */
  data: z.record(z.string(), z.unknown()).nullable(),
})
export type StreamEvent = z.infer<typeof StreamEvent>

/** An event in the history of a user. */
export const HistoryEntry = z.object({
  type: EventType,
  time: PreciseTimestamp,
  data: z.record(z.string(), z.unknown()).nullable(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** A position in the stream of a site: after this sequence number. `stream` changes when a database was restored. */
export const StreamPosition = z.object({ stream: z.uuid(), sequence: Count })
export type StreamPosition = z.infer<typeof StreamPosition>
