import type { CombinedData } from './combine.ts'

/** What a list of users shows of a profile. */
export interface ProfileSummary {
  readonly name: string | null
  readonly email: string | null
  /** URL, as the provider sent it. */
  readonly image_url: string | null
}

/** The name as a provider sent it, or put together as in Japanese; and the first e-mail address, if possible a verified one. */
export function summarize(combined: CombinedData | null): ProfileSummary {
  if (combined === null) return { name: null, email: null, image_url: null }
  const { profile, email } = combined
  const joined = (family: string | null, given: string | null) =>
    [family, given].filter((part) => part !== null && part !== '').join(' ')
  const names = [
    profile.full_name_kanji,
    joined(profile.last_name_kanji, profile.first_name_kanji),
    profile.full_name,
    joined(profile.last_name, profile.first_name),
    profile.full_name_kana,
    joined(profile.last_name_kana, profile.first_name_kana),
    profile.user_name,
  ]
  return {
    name: names.find((name) => name !== null && name !== undefined && name !== '') ?? null,
    email: (email.find(({ verified }) => verified) ?? email[0])?.email ?? null,
    image_url: profile.image_url ?? null,
  }
}
