import { z } from 'zod'
import { Provider } from '../providers.ts'
import { Timestamp } from '../scalars.ts'
import { MetadataCondition } from './metadata-search.ts'

/**
 * What a user is now. `active`: neither blocked nor to be deleted. `to_be_deleted`: the user asked for it, or is announced as
 * inactive, and the deletion is waiting.
 */
export const userStates = ['active', 'blocked', 'to_be_deleted'] as const

/** Which users a list, an export or a bulk change is for; all without a condition. */
export const userFilter = {
  /** Created from this time on. */
  created_since: Timestamp.optional(),
  /** Created before this time. */
  created_until: Timestamp.optional(),
  /** Last logged in from this time on. */
  last_login_since: Timestamp.optional(),
  /** Last logged in before this time. */
  last_login_until: Timestamp.optional(),
  /** With an account of this provider. */
  provider: Provider.optional(),
  mapped: z.enum(['mapped_only', 'not_mapped_only']).optional(),
  blocked: z.enum(['blocked_only', 'not_blocked_only']).optional(),
  user_state: z.enum(userStates).optional(),
  /** With this value of their metadata, at a path that the site has switched on: `app_metadata.plan=gold`. */
  metadata: MetadataCondition.optional(),
}

/** Descriptions of fields that mean something else outside of a filter. */
export const userFilterHelp = {
  provider: 'only users with an account of this provider',
  mapped: 'only users with a primary_key, or without',
}

/** The conditions of a filter; a user meets all of them. */
export const UserConditions = z.object(userFilter)
export type UserConditions = z.output<typeof UserConditions>

/** What a list of users is sorted by. */
export const UserSort = z.enum(['created', 'last_login', 'logins'])

/**
 * The place of a user in a sorted list. `value` is what the users of the section are sorted by: a registration in seconds, a
 * time in microseconds since 1970, or a number of logins. `created_at` is the section of users who never logged in, who follow
 * the others in a list by last login.
 */
export const UserPosition = z.object({
  section: z.enum(['registration', 'last_logged_in_at', 'created_at', 'login_count']),
  value: z.int(),
  registration: z.int().nonnegative(),
  identifier: z.string(),
})
export type UserPosition = z.output<typeof UserPosition>
