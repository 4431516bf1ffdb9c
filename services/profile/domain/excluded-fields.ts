import { type ExcludedFields, loginProviders, type Provider, type ProviderData, profileItems } from '#contracts'

/**
 * What of a provider's data a site stores: without the items that are not stored.
 *
 * @returns null when the site stores nothing of the provider
 */
export function removeExcludedFields(
  data: ProviderData,
  provider: Provider,
  excludedFields: ExcludedFields,
): ProviderData | null {
  if (excludesAllOf(provider, excludedFields)) return null
  const leftOut = new Set<string>(excludedFields[provider])
  return {
    ...data,
    profile: Object.fromEntries(Object.entries(data.profile).filter(([field]) => !leftOut.has(field))),
    follow: leftOut.has('follow') ? null : data.follow,
    email: leftOut.has('email') ? [] : data.email,
    phone: leftOut.has('phone') ? [] : data.phone,
  }
}

/** Whether a site prohibits storing altogether: no item of any provider that people log in with. */
export function excludesEverything(notStored: ExcludedFields): boolean {
  return loginProviders.every((provider) => excludesAllOf(provider, notStored))
}

function excludesAllOf(provider: Provider, notStored: ExcludedFields): boolean {
  const leftOut = new Set<string>(notStored[provider])
  return profileItems.every((item) => leftOut.has(item))
}
