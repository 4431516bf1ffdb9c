import { type ProfileItem, type Provider, type ProviderData, profileItems, providerDescriptions } from '#contracts'
import type { Scope } from './scopes.ts'

const addressItems: ReadonlySet<ProfileItem> = new Set(['postal_code', 'prefecture', 'city', 'street'])

/** The scope that covers an item (OpenID Connect Core 5.4); items without a standard claim belong to `profile`. */
function scopeOf(item: ProfileItem): Scope {
  if (item === 'email' || item === 'phone') return item
  return addressItems.has(item) ? 'address' : 'profile'
}

/**
 * The items that a login requests: those that the provider supplies and the granted scopes cover. `openid` covers none.
 */
export function listRequestedItems(provider: Provider, granted: readonly Scope[]): readonly ProfileItem[] {
  return providerDescriptions[provider].supplies.filter((item) => granted.includes(scopeOf(item)))
}

/**
 * Limits the provider's data to the requested items that the provider did not withhold; the others become `not_obtained`.
 * A provider may send more than requested.
 */
export function limitToRequested(data: ProviderData, provider: Provider, granted: readonly Scope[]): ProviderData {
  const withheld = new Set(data.not_obtained)
  const obtained = new Set<string>(listRequestedItems(provider, granted).filter((item) => !withheld.has(item)))
  const { supplies } = providerDescriptions[provider]
  return {
    profile: Object.fromEntries(Object.entries(data.profile).filter(([field]) => obtained.has(field))),
    follow: obtained.has('follow') ? data.follow : null,
    email: obtained.has('email') ? data.email : [],
    phone: obtained.has('phone') ? data.phone : [],
    not_obtained: profileItems.filter((item) => supplies.includes(item) && !obtained.has(item)),
  }
}
