import { profileItems } from 'virtual:contract'
import type { ProfileItem, Provider } from '../../admin/types.ts'

const names = ['full_name', 'first_name', 'last_name', 'image_url'] as const
const kana = [
  'first_name_kana',
  'first_name_kanji',
  'last_name_kana',
  'last_name_kanji',
  'full_name_kana',
  'full_name_kanji',
] as const
const address = ['postal_code', 'prefecture', 'city', 'street'] as const

/** What each provider can supply; the rest of the items is offered apart, for what it may supply one day. */
const supplied: Record<Provider, readonly ProfileItem[]> = {
  messaging: ['user_name', 'image_url', 'bio', 'email'],
  portal: [...names, ...kana, 'user_name', 'gender', 'birthday', ...address, 'email'],
  social: [
    ...names,
    'middle_name',
    'age_range_min',
    'age_range_max',
    'birthday',
    'gender',
    'uri',
    'location',
    'location_id',
    'hometown',
    'hometown_id',
    'email',
  ],
  search: [...names, 'uri', 'email'],
  search_legacy: [...names, 'uri', 'email'],
  device: ['first_name', 'last_name', 'full_name', 'email'],
  microblog: [
    'user_name',
    'full_name',
    'image_url',
    'bio',
    'location',
    'website',
    'uri',
    'verified',
    'follow',
    'email',
  ],
  shopping: [],
}

export function itemsOf(provider: Provider): { supplied: readonly ProfileItem[]; other: readonly ProfileItem[] } {
  const mine = supplied[provider]
  return { supplied: mine, other: profileItems.filter((item) => !mine.includes(item)) }
}
