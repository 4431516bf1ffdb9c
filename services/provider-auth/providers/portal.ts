import { z } from 'zod'
import { toEmail } from './email.ts'
import type { OidcDescription } from './oidc-description.ts'
import { text } from './text.ts'

const Address = z.object({ postal_code: text, region: text, locality: text, street_address: text })

/** A name the person never gave is told as `""`. */
const Told = z.object({
  name: text,
  given_name: text,
  'given_name#ja-Kana-JP': text,
  'given_name#ja-Hani-JP': text,
  family_name: text,
  'family_name#ja-Kana-JP': text,
  'family_name#ja-Hani-JP': text,
  nickname: text,
  picture: text,
  gender: text,
  birthdate: text,
  address: Address.partial().catch({}).default({}),
  email: text,
  email_verified: z.unknown().optional(),
})

/** Yahoo! JAPAN ID, YConnect v2. */
export const portal: OidcDescription = {
  provider: 'portal',
  manifest: {
    service: 'Yahoo! JAPAN ID, YConnect v2',
    protocol: 'OpenID Connect',
    id_token_alg: 'RS256',
    email: 'as the provider says',
    access_token: '1 hour',
    refresh: 'by a refresh token that lives 4 weeks and is not replaced',
    leaving: 'nothing: the provider documents no revocation',
    quirks: [
      'Attributes beyond the user id need the provider’s approval of the application; without it a login still succeeds.',
      'A person who does not agree is returned without an error, which counts as `access_denied`.',
    ],
  },
  issuer: 'https://auth.login.yahoo.co.jp/yconnect/v2',
  endpoints: {
    authorization: 'https://auth.login.yahoo.co.jp/yconnect/v2/authorization',
    token: 'https://auth.login.yahoo.co.jp/yconnect/v2/token',
    userinfo: 'https://userinfo.yahooapis.jp/yconnect/v2/attribute',
  },
  id_token: { alg: 'RS256', jwks: 'https://auth.login.yahoo.co.jp/yconnect/v2/jwks' },
  // Demanded of applications on servers; its client ids hold `-`, and neither its documentation nor its SDK encodes them.
  client_authentication: 'raw_basic',
  answersWithIss: false,
  // Without it a person who does not agree is left at the provider's top page and never comes back.
  always: { bail: '1' },
  passes: {},
  prompts: { login: 'login', select_account: 'select_account' },
  knowsMaxAge: true,
  scopesToAsk: (granted) => ['openid', ...knownScopes.filter((scope) => granted.includes(scope))],
  // Only applications that the provider approved may ask.
  userinfoMayBeRefused: true,
  toProviderData(claims) {
    const told = Told.parse(claims)
    return {
      profile: {
        full_name: told.name,
        first_name: told.given_name,
        first_name_kana: told['given_name#ja-Kana-JP'],
        first_name_kanji: told['given_name#ja-Hani-JP'],
        last_name: told.family_name,
        last_name_kana: told['family_name#ja-Kana-JP'],
        last_name_kanji: told['family_name#ja-Hani-JP'],
        full_name_kana: fullName(told['family_name#ja-Kana-JP'], told['given_name#ja-Kana-JP']),
        full_name_kanji: fullName(told['family_name#ja-Hani-JP'], told['given_name#ja-Hani-JP']),
        user_name: told.nickname,
        image_url: told.picture,
        gender: genders.get(told.gender),
        birthday: day.parse(told.birthdate),
        postal_code: told.address.postal_code,
        prefecture: told.address.region,
        city: told.address.locality,
        street: told.address.street_address,
      },
      follow: null,
      email: toEmail(told),
      phone: [],
    }
  },
}

/** It has no `phone`. */
const knownScopes = ['profile', 'email', 'address'] as const

const genders = new Map<string | undefined, number>([
  ['male', 1],
  ['female', 2],
])

/** A bare year, which is all that the scope promises, is no birthday; nor is a day of no year (OpenID Connect Core 5.1). */
const day = z.iso
  .date()
  .refine((date) => !date.startsWith('0000'))
  .optional()
  .catch(undefined)

/** Family name first; of half a name there is none. */
function fullName(family: string | undefined, given: string | undefined): string | undefined {
  return family === undefined || given === undefined ? undefined : `${family} ${given}`
}
