import { z } from 'zod'
import { CombinedProfile, type ProviderNames } from '#contracts'
import { exampleFollow, exampleProfile, exampleUser } from './examples.ts'
import { UserObject } from './user.ts'

const { profile, follow, email, phone } = CombinedProfile.shape
/** Wire name of the provider that supplied the entry. */
const mediaId = z.string().max(255)

/** A user with combined profile (specification: Profile object; Follow, Email and Phone objects). */
export const profileResponse = {
  user: UserObject,
  profile,
  follow,
  email: z.array(email.element.extend({ media_id: mediaId })),
  phone: z.array(phone.element.extend({ media_id: mediaId })),
}

export function showProfile({ profile, follow, email, phone }: CombinedProfile, names: ProviderNames) {
  return {
    profile,
    follow,
    email: email.map((entry) => ({ ...entry, media_id: names.wire(entry.media_id) })),
    phone: phone.map((entry) => ({ ...entry, media_id: names.wire(entry.media_id) })),
  }
}

export function exampleProfileResponse(names: ProviderNames) {
  return {
    user: exampleUser(names),
    profile: exampleProfile,
    follow: exampleFollow,
    email: [{ email: 'hanako@example.com', verified: true, media_id: names.wire('messaging') }],
    phone: [],
  }
}
