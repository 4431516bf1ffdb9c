import { type ProfileItem, type ProviderData, profileItems } from '#contracts'
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
export function listRequestedItems(
  supplies: readonly ProfileItem[],
  granted: readonly Scope[],
): readonly ProfileItem[] {
  return supplies.filter((item) => granted.includes(scopeOf(item)))
}

/**
 * Limits the provider's data to the requested items; the others become `not_obtained`. A provider may send more than
 * requested.
 */
export function limitToRequested(
  data: ProviderData,
  supplies: readonly ProfileItem[],
  granted: readonly Scope[],
): ProviderData {
  const requested = new Set<string>(listRequestedItems(supplies, granted))
  const withheld = new Set(data.not_obtained)
  return {
    ...pickItems(data, (item) => requested.has(item)),
    not_obtained: profileItems.filter(
      (item) => supplies.includes(item) && (!requested.has(item) || withheld.has(item)),
    ),
  }
}

/** Removes items from the provider's data; they become `not_obtained`. */
export function omitItems(data: ProviderData, items: readonly ProfileItem[]): ProviderData {
  const omitted = new Set<string>(items)
  return {
    ...pickItems(data, (item) => !omitted.has(item)),
    not_obtained: [...(data.not_obtained ?? []), ...items],
  }
}

function pickItems({ profile, follow, email, phone }: ProviderData, isPicked: (item: string) => boolean) {
  return {
    profile: Object.fromEntries(Object.entries(profile).filter(([field]) => isPicked(field))),
    follow: isPicked('follow') ? follow : null,
    email: isPicked('email') ? email : [],
    phone: isPicked('phone') ? phone : [],
  }
}
