import { z } from 'zod'
import {
  builtInProviders,
  Follow,
  FriendStatus,
  type Link,
  type Provider,
  type ProviderData,
  ProviderEmail,
  type ProviderNames,
  ProviderPhone,
  ProviderProfile,
} from '#contracts'

/** The data that one provider supplied, with only the profile fields it has. */
export const ProviderObject = z.object({
  profile: ProviderProfile,
  follow: Follow,
  email: z.array(ProviderEmail.pick({ email: true })),
  phone: z.array(ProviderPhone.pick({ number: true })),
})

/** The messaging provider's profile also has the friend status. */
export const MessagingObject = ProviderObject.extend({ profile: ProviderProfile.extend(FriendStatus.shape) })

/** For providers that are not linked (specification, profile_from_providers). */
const NotLinked = z.strictObject({})

/** The object of a provider that the site configured. */
export const configuredObject = z.union([ProviderObject, NotLinked])

/** An object for each requested provider, by wire name. */
export function providerObjects(names: ProviderNames): z.ZodRawShape {
  const objects = builtInProviders.map((provider) => {
    const linked = provider === 'messaging' ? MessagingObject : ProviderObject
    return [names.wire(provider), z.union([linked, NotLinked]).optional()]
  })
  return Object.fromEntries(objects)
}

export interface ProviderFacts {
  readonly links: readonly Link[]
  /** By `link_id`. */
  readonly stored: Readonly<Record<string, ProviderData>>
  readonly friend: z.infer<typeof FriendStatus>
}

/** The objects of the requested providers. A linked provider without stored data has an object without values. */
export function showProviderObjects(
  requested: readonly Provider[],
  { links, stored, friend }: ProviderFacts,
  names: ProviderNames,
): Record<string, object> {
  const objects = requested.map((provider) => {
    const link = links.find((one) => one.provider === provider)
    if (link === undefined) return [names.wire(provider), {}]
    const shown = showProviderObject(stored[link.link_id] ?? nothingStored)
    const profile = provider === 'messaging' ? { ...shown.profile, ...friend } : shown.profile
    return [names.wire(provider), { ...shown, profile }]
  })
  return Object.fromEntries(objects)
}

const nothingStored: ProviderData = { profile: {}, follow: null, email: [], phone: [] }

function showProviderObject({ profile, follow, email, phone }: ProviderData): z.infer<typeof ProviderObject> {
  return {
    profile,
    follow: follow ?? { followed_by: null, following: null },
    email: email.map((entry) => ({ email: entry.email })),
    phone: phone.map((entry) => ({ number: entry.number })),
  }
}
