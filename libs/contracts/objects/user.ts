import { z } from 'zod'
import { Provider } from '../providers.ts'
import { Count, Identifier, LinkId, PreciseTimestamp, PrimaryKey, Timestamp } from '../scalars.ts'
import { UserBlock } from './user-block.ts'

/** The specification's User object without `profile_prohibited`, which the profile service stores. */
export const User = z.object({
  identifier: Identifier,
  primary_key: PrimaryKey.nullable(),
  mapped_at: Timestamp.nullable(),
  last_logged_in_at: Timestamp.nullable(),
  last_logged_in_provider: Provider.nullable(),
  login_count: Count,
  created_at: Timestamp,
  /** Absent unless the user is blocked now. */
  block: UserBlock.optional(),
  /** Sessions and tokens of logins that were recorded until then have ended; absent if none were ended. */
  sessions_ended_at: PreciseTimestamp.optional(),
})
export type User = z.infer<typeof User>

/** Whether a login of the user counts no more, because the user was blocked since it was recorded. */
export function isLoginEnded({ block, sessions_ended_at }: User, recordedAt: Date | string | undefined): boolean {
  if (block !== undefined) return true
  return (
    sessions_ended_at !== undefined && recordedAt !== undefined && new Date(recordedAt) <= new Date(sessions_ended_at)
  )
}

/** Why a user is deleted: the user asked for it on the account page, or no longer logs in. */
export const DeletionCause = z.enum(['user_request', 'inactivity'])
export type DeletionCause = z.infer<typeof DeletionCause>

/** A deletion that was requested or announced, and when it happens unless it is canceled. */
export const UserDeletion = z.object({
  requested_at: Timestamp,
  delete_at: Timestamp,
  cause: DeletionCause.default('user_request'),
})

/** A linked account: an account at a login provider that is linked to a user. */
export const Link = z.object({
  link_id: LinkId,
  provider: Provider,
  provider_user_id: z.string(),
  created_at: Timestamp,
})
export type Link = z.infer<typeof Link>
