import { z } from 'zod'

const text = z.string().nullable()
const integer = z.int().nullable()

/** Fields of the specification's Profile object that a login provider can supply. */
export const profileFields = {
  uri: z.array(z.string()).nullable(),
  first_name: text,
  first_name_kana: text,
  first_name_kanji: text,
  middle_name: text,
  middle_name_kana: text,
  middle_name_kanji: text,
  last_name: text,
  last_name_kana: text,
  last_name_kanji: text,
  full_name: text,
  full_name_kana: text,
  full_name_kanji: text,
  user_name: text,
  verified: z.boolean().nullable(),
  image_url: text,
  age_range_max: integer,
  age_range_min: integer,
  /** `YYYY-MM-DD`. */
  birthday: text,
  /** 1 male, 2 female, 3 other. Our choice. */
  gender: integer,
  relationship_status: integer,
  blood_type: text,
  bio: text,
  quotes: text,
  website: z.array(z.string()).nullable(),
  graduated_school: text,
  graduated_school_type: text,
  graduated_year: text,
  graduated_concentration: text,
  job_company: text,
  job_position: text,
  location: text,
  location_id: text,
  location_jis_id: integer,
  hometown: text,
  hometown_id: text,
  hometown_jis_id: integer,
  postal_code: text,
  prefecture: text,
  city: text,
  street: text,
}

/** The profile fields that one login provider supplied at a login; others are absent. */
export const ProviderProfile = z.object(profileFields).partial()
export type ProviderProfile = z.infer<typeof ProviderProfile>

// `Object.keys` loses the type of the keys.
const fields = Object.keys(profileFields) as (keyof typeof profileFields)[]
/** Data that a provider supplies and a site can exclude: a profile field, or all follow data, e-mail addresses or phone numbers. */
export const profileItems = [...fields, 'follow', 'email', 'phone'] as const
export const ProfileItem = z.enum(profileItems)
export type ProfileItem = z.infer<typeof ProfileItem>
