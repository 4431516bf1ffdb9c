import { z } from 'zod'

/** The standard claims by scope (OpenID Connect Core 5.4). */
export const claimsOfScope: Readonly<Record<'profile' | 'email' | 'address' | 'phone', readonly string[]>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

const text = z.string().min(1).optional()

/** Their types (OpenID Connect Core 5.1); a claim can be absent, but is never null or empty. */
export const StandardClaims = z.looseObject({
  sub: z.string().min(1).max(255),
  name: text,
  given_name: text,
  family_name: text,
  middle_name: text,
  nickname: text,
  preferred_username: text,
  profile: z.url().optional(),
  picture: z.url().optional(),
  website: z.url().optional(),
  gender: text,
  zoneinfo: text,
  locale: text,
  birthdate: z
    .string()
    .regex(/^(\d{4}|\d{4}-\d\d-\d\d)$/)
    .optional(),
  email: z.email().optional(),
  email_verified: z.boolean().optional(),
  phone_number: text,
  phone_number_verified: z.boolean().optional(),
  address: z
    .strictObject({
      formatted: text,
      street_address: text,
      locality: text,
      region: text,
      postal_code: text,
      country: text,
    })
    .optional(),
  updated_at: z.number().optional(),
})
export type StandardClaims = z.infer<typeof StandardClaims>
