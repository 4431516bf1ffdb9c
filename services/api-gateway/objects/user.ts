import { z } from 'zod'
import { User as KnownUser, type ProviderNames } from '#contracts'

/** The User object of responses (specification, User object). */
export const User = KnownUser.extend({
  /** The provider's wire name. */
  last_logged_in_provider: z.string().max(255).nullable(),
  profile_prohibited: z.boolean(),
})
export type User = z.infer<typeof User>

export function showUser(user: KnownUser, profileProhibited: boolean, names: ProviderNames): User {
  const { last_logged_in_provider: provider } = user
  return {
    ...user,
    last_logged_in_provider: provider === null ? null : names.wire(provider),
    profile_prohibited: profileProhibited,
  }
}
