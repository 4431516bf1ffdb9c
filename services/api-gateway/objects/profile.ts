import { z } from 'zod'
import { CombinedProfile, type ProviderNames } from '#contracts'

const { profile, follow, email, phone } = CombinedProfile.shape
/** Whose entry it is, by the provider's wire name. */
const media_id = z.string()

/** What `profile` answers beside the user (specification: Profile object; Follow, Email and Phone objects). */
export const profileAnswer = {
  profile,
  follow,
  email: z.array(email.element.extend({ media_id })),
  phone: z.array(phone.element.extend({ media_id })),
}

export function showProfile({ profile, follow, email, phone }: CombinedProfile, names: ProviderNames) {
  return {
    profile,
    follow,
    email: email.map((entry) => ({ ...entry, media_id: names.wire(entry.media_id) })),
    phone: phone.map((entry) => ({ ...entry, media_id: names.wire(entry.media_id) })),
  }
}
