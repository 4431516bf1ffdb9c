import type { ProviderData } from '#contracts'

/**
 * Merges the data of two logins through one provider: the newer one's, and the older one's for items that the newer one did
 * not obtain. Items that neither obtained stay listed, so that a login that is recorded late can still fill them in.
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
