import { z } from 'zod'
import { User as KnownUser, type ProviderNames } from '#contracts'

/** The User object of responses (specification, User object). */
export const UserObject = KnownUser.extend({
  /** The provider's wire name. */
  last_logged_in_provider: z.string().max(255).nullable(),
  profile_prohibited: z.boolean(),
})
export type UserObject = z.infer<typeof UserObject>

export function showUser(user: KnownUser, profileProhibited: boolean, names: ProviderNames): UserObject {
  const { last_logged_in_provider: provider } = user
  return {
    ...user,
    last_logged_in_provider: provider === null ? null : names.wire(provider),
    profile_prohibited: profileProhibited,
  }
}
