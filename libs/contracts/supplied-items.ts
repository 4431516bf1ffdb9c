import type { ProfileItem } from './objects/profile.ts'
import type { loginProviders, Provider } from './providers.ts'

const names = ['full_name', 'first_name', 'last_name'] as const

/** What of a person each login provider can tell. The adapters’ manifests are held against what they really read. */
const told = {
  messaging: ['user_name', 'image_url', 'bio', 'email'],
  portal: [
    ...['full_name', 'full_name_kana', 'full_name_kanji'],
    ...['first_name', 'first_name_kana', 'first_name_kanji'],
    ...['last_name', 'last_name_kana', 'last_name_kanji'],
    ...['user_name', 'image_url', 'gender', 'birthday'],
    ...['postal_code', 'prefecture', 'city', 'street', 'email'],
  ],
  social: [
    ...['full_name', 'first_name', 'middle_name', 'last_name', 'image_url'],
    ...['age_range_min', 'age_range_max', 'birthday', 'gender', 'uri'],
    ...['location', 'location_id', 'hometown', 'hometown_id', 'email'],
  ],
  search: [...names, 'image_url', 'uri', 'email'],
  device: [...names, 'email'],
  microblog: [
    ...['user_name', 'full_name', 'image_url', 'bio', 'location', 'website', 'uri', 'verified'],
    ...['follow', 'email'],
  ],
} as const satisfies Record<(typeof loginProviders)[number], readonly ProfileItem[]>

/** The same of every provider: an account linked as `search_legacy` is told of by `search`; `shopping` tells nothing any more. */
export const suppliedItems: Readonly<Record<Provider, readonly ProfileItem[]>> = {
  ...told,
  search_legacy: told.search,
  shopping: [],
}
