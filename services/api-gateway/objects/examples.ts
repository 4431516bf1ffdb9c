import type { z } from 'zod'
import type { Follow, Profile, ProviderNames } from '#contracts'
import type { UserObject } from './user.ts'

/** Values that the examples of several operations share. */
export const exampleIdentifier = '6a1f3c20b54e8d7790ac2e13f58b6d4471e09c3a'
export const exampleAccount = 'U4af4980629f1b5c1f0a2d8e6c7b39d10'

export function exampleUser({ wire }: ProviderNames): UserObject {
  return {
    identifier: exampleIdentifier,
    primary_key: 'customer-1024',
    mapped_at: '2026-04-01T09:00:00Z',
    last_logged_in_at: '2026-05-12T03:21:45Z',
    last_logged_in_provider: wire('messaging'),
    login_count: 7,
    created_at: '2026-04-01T08:59:58Z',
    profile_prohibited: false,
  }
}

export const exampleFollow: Follow = { followed_by: null, following: null }

export const exampleProfile: z.infer<typeof Profile> = {
  uri: null,
  first_name: 'Hanako',
  first_name_kana: null,
  first_name_kanji: null,
  middle_name: null,
  middle_name_kana: null,
  middle_name_kanji: null,
  last_name: 'Yamada',
  last_name_kana: null,
  last_name_kanji: null,
  full_name: 'Hanako Yamada',
  full_name_kana: null,
  full_name_kanji: null,
  user_name: 'Hanako',
  verified: null,
  image_url: 'https://images.example.com/hanako.png',
  age_range_max: null,
  age_range_min: null,
  birthday: '1990-04-01',
  gender: 2,
  relationship_status: null,
  blood_type: null,
  bio: null,
  quotes: null,
  website: null,
  graduated_school: null,
  graduated_school_type: null,
  graduated_year: null,
  graduated_concentration: null,
  job_company: null,
  job_position: null,
  location: null,
  location_id: null,
  location_jis_id: 13104,
  hometown: null,
  hometown_id: null,
  hometown_jis_id: null,
  postal_code: '160-0022',
  prefecture: 'Tokyo',
  city: 'Shinjuku',
  street: null,
  last_updated_at: '2026-05-12T03:21:45Z',
  update_count: 7,
}
