import { builtInLoginProviders, type ExcludedFields, type Provider, type ProviderData, profileItems } from '#contracts'

/**
 * Removes the excluded fields from a provider's data.
 *
 * @returns null if the site excludes all fields of the provider
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

/** Whether a site excludes all fields of all login providers. */
export function excludesEverything(notStored: ExcludedFields): boolean {
  return builtInLoginProviders.every((provider) => excludesAllOf(provider, notStored))
}

function excludesAllOf(provider: Provider, notStored: ExcludedFields): boolean {
  const leftOut = new Set<string>(notStored[provider])
  return profileItems.every((item) => leftOut.has(item))
}
