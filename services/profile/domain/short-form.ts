import { type CombinedData, combine } from './combine.ts'

const { profile: missingFields } = combine([])

/** A combined profile without the fields that are missing: few of fifty are known. */
export type ShortData = Omit<CombinedData, 'profile'> & { readonly profile: Partial<CombinedData['profile']> }

export function removeMissingFields(data: CombinedData): ShortData {
  const known = Object.entries(data.profile).filter(([, value]) => value !== null)
  // An object of the same type without some of its members.
  return { ...data, profile: Object.fromEntries(known) as ShortData['profile'] }
}

export function addMissingFields(short: ShortData): CombinedData {
  return { ...short, profile: { ...missingFields, ...short.profile } }
}
