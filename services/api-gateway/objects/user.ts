import { z } from 'zod'
import { User as KnownUser, type ProviderNames } from '#contracts'

/** The User object of responses (specification, User object). */
export const UserObject = KnownUser.omit({ block: true, sessions_ended_at: true }).extend({
  /** The provider's wire name. */
  last_logged_in_provider: z.string().max(255).nullable(),
  profile_prohibited: z.boolean(),
  /** Ours. Absent unless the user is blocked. */
  blocked: z.literal(true).optional(),
})
export type UserObject = z.infer<typeof UserObject>

export function showUser(
  { block, sessions_ended_at: _, ...user }: KnownUser,
  profileProhibited: boolean,
  names: ProviderNames,
): UserObject {
  const { last_logged_in_provider: provider } = user
  return {
    ...user,
    last_logged_in_provider: provider === null ? null : names.wire(provider),
    profile_prohibited: profileProhibited,
    ...(block !== undefined && { blocked: true }),
  }
}
