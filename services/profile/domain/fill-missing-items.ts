import type { ProviderData } from '#contracts'

/**
 * Merges the data of two logins with one provider: the newer data, and the older data for items that the newer login did
 * not obtain. Items that neither obtained remain in `not_obtained`, so that a login that arrives late can supply them.
 */
export function fillMissingItems(newer: ProviderData, older: ProviderData): ProviderData {
  const missing = new Set<string>(newer.not_obtained)
  const fromOlder = Object.fromEntries(Object.entries(older.profile).filter(([field]) => missing.has(field)))
  const filled: ProviderData = {
    profile: { ...newer.profile, ...fromOlder },
    follow: missing.has('follow') ? older.follow : newer.follow,
    email: missing.has('email') ? older.email : newer.email,
    phone: missing.has('phone') ? older.phone : newer.phone,
  }
  const notObtained = newer.not_obtained?.filter((item) => older.not_obtained?.includes(item)) ?? []
  return notObtained.length === 0 ? filled : { ...filled, not_obtained: notObtained }
}
