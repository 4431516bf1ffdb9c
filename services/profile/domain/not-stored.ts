import { loginProviders, type ProfileNotStored, type Provider, type ProviderData, profileItems } from '#contracts'

/**
 * What of a provider's data a site stores: without the items that are not stored.
 *
 * @returns null when the site stores nothing of the provider
 */
export function storable(data: ProviderData, provider: Provider, not_stored: ProfileNotStored): ProviderData | null {
  if (storesNothingOf(provider, not_stored)) return null
  const left_out = new Set<string>(not_stored[provider])
  return {
    ...data,
    profile: Object.fromEntries(Object.entries(data.profile).filter(([field]) => !left_out.has(field))),
    follow: left_out.has('follow') ? null : data.follow,
    email: left_out.has('email') ? [] : data.email,
    phone: left_out.has('phone') ? [] : data.phone,
  }
}

/** Whether a site prohibits storing altogether: no item of any provider that people log in with. */
export function storesNothing(not_stored: ProfileNotStored): boolean {
  return loginProviders.every((provider) => storesNothingOf(provider, not_stored))
}

function storesNothingOf(provider: Provider, not_stored: ProfileNotStored): boolean {
  const left_out = new Set<string>(not_stored[provider])
  return profileItems.every((item) => left_out.has(item))
}
