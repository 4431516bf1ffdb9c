import { z } from 'zod'
import { ProfileItem, ProviderProfile, profileFields } from '../profile-items.ts'
import { Provider } from '../providers.ts'
import { Count, Timestamp } from '../scalars.ts'

export const Profile = z.object({ ...profileFields, last_updated_at: Timestamp.nullable(), update_count: Count })
export type Profile = z.infer<typeof Profile>

export const Follow = z.object({ followed_by: Count.nullable(), following: Count.nullable() })
export type Follow = z.infer<typeof Follow>

export const ProviderEmail = z.object({ email: z.string(), verified: z.boolean() })
export const ProviderPhone = z.object({
  number: z.string(),
  verified: z.boolean(),
  type: z.enum(['phone', 'fax', 'mobile']),
})

/** All data that one login provider supplied about an end user. */
export const ProviderData = z.object({
  profile: ProviderProfile,
  follow: Follow.nullable(),
  email: z.array(ProviderEmail),
  phone: z.array(ProviderPhone),
  /** Items that the login did not request or the provider did not send. Their stored values remain. */
  not_obtained: z.array(ProfileItem).optional(),
})
export type ProviderData = z.infer<typeof ProviderData>

/** The combined profile. `media_id` is the provider that supplied the entry. */
export const CombinedProfile = z.object({
  profile: Profile,
  follow: Follow,
  email: z.array(ProviderEmail.extend({ media_id: Provider })),
  phone: z.array(ProviderPhone.extend({ media_id: Provider })),
})
export type CombinedProfile = z.infer<typeof CombinedProfile>
