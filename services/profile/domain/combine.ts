import { z } from 'zod'
import {
  type CombinedProfile,
  compareProviders,
  type Follow,
  type Provider,
  type ProviderData,
  profileFields,
} from '#contracts'

/** The data that one provider supplied, and when. */
export interface SuppliedData {
  readonly provider: Provider
  readonly data: ProviderData
  readonly obtained_at: Date
}

const Fields = z.object(profileFields)

/** A combined profile without `last_updated_at` and `update_count`. */
export type CombinedData = Omit<CombinedProfile, 'profile'> & { readonly profile: z.infer<typeof Fields> }

type FieldName = keyof typeof profileFields
const fieldNames = Fields.keyof().options

/** Lists that are merged instead of taken from one provider. */
const unionFields: readonly FieldName[] = ['uri', 'website']

/**
 * Combines the data of a user's providers; the order of the input does not matter. The rules are our choice.
 * The provider that was updated last has priority; at equal times, the first in the specification's table.
 *
 * - A field has the first known value, or null. `uri` and `website` have all values, each once.
 * - An e-mail address or phone number occurs once, from the first provider that verified it, else from the first provider.
 *   `media_id` names that provider.
 * - `follow` is the first one supplied.
 */
export function combine(supplies: readonly SuppliedData[]): CombinedData {
  const latestFirst = supplies.toSorted(
    (a, b) => b.obtained_at.getTime() - a.obtained_at.getTime() || compareProviders(a.provider, b.provider),
  )
  const field = (name: FieldName) => {
    const values = latestFirst.map(({ data }) => data.profile[name]).filter((value) => value != null)
    if (!unionFields.includes(name)) return values[0] ?? null
    return values.length === 0 ? null : [...new Set(values.flat())]
  }
  return {
    profile: Fields.parse(Object.fromEntries(fieldNames.map((name) => [name, field(name)]))),
    follow: latestFirst.find(({ data }) => data.follow !== null)?.data.follow ?? noFollow,
    email: deduplicate(
      latestFirst,
      ({ email }) => email,
      ({ email }) => email,
    ),
    phone: deduplicate(
      latestFirst,
      ({ phone }) => phone,
      ({ number }) => number,
    ),
  }
}

const noFollow: Follow = { followed_by: null, following: null }

/** Returns one entry for each value, at its first position. */
function deduplicate<E extends { readonly verified: boolean }>(
  latestFirst: readonly SuppliedData[],
  entriesOf: (data: ProviderData) => readonly E[],
  keyOf: (entry: E) => string,
): (E & { media_id: Provider })[] {
  const chosen = new Map<string, E & { media_id: Provider }>()
  for (const { provider, data } of latestFirst) {
    for (const entry of entriesOf(data)) {
      const earlier = chosen.get(keyOf(entry))
      if (earlier === undefined || (entry.verified && !earlier.verified))
        chosen.set(keyOf(entry), { ...entry, media_id: provider })
    }
  }
  return [...chosen.values()]
}
