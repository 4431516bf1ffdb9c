import { isDeepStrictEqual } from 'node:util'
import { type ProfileItem, profileItems } from '#contracts'
import type { CombinedData } from './combine.ts'

/** The items whose values differ between two combined profiles; null has no values. */
export function listChangedItems(before: CombinedData | null, after: CombinedData): ProfileItem[] {
  const [old, current] = [toItems(before), toItems(after)]
  return profileItems.filter((item) => !isDeepStrictEqual(old[item], current[item]))
}

function toItems(data: CombinedData | null): Partial<Record<ProfileItem, unknown>> {
  if (data === null) return { email: [], phone: [] }
  const { profile, follow, email, phone } = data
  const isFollowed = follow.followed_by !== null || follow.following !== null
  const known = Object.entries(profile).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(known), email, phone, ...(isFollowed && { follow }) }
}
