import { z } from 'zod'
import { Address, toAddressFields } from './address.ts'
import { birthdate } from './birthdate.ts'
import { toEmail } from './email.ts'
import { toFullName } from './full-name.ts'
import type { OidcDescription } from './oidc-description.ts'
import { optionalText } from './optional-text.ts'
import { portalNative } from './portal-native.ts'

/** A name that the end user has not entered is `""`. */
const UserClaims = z.object({
  name: optionalText,
  given_name: optionalText,
  'given_name#ja-Kana-JP': optionalText,
  'given_name#ja-Hani-JP': optionalText,
  family_name: optionalText,
  'family_name#ja-Kana-JP': optionalText,
  'family_name#ja-Hani-JP': optionalText,
  nickname: optionalText,
  picture: optionalText,
  gender: optionalText,
  birthdate: optionalText,
  address: Address,
  email: optionalText,
  email_verified: z.unknown().optional(),
})

/** Yahoo! JAPAN ID, YConnect v2. */
export const portalDescription: OidcDescription = {
  provider: 'portal',
  manifest: {
    service: 'Yahoo! JAPAN ID, YConnect v2',
    protocol: 'OpenID Connect',
    id_token_alg: 'RS256',
    email: 'if the provider says so',
    access_token: '1 hour',
    refresh: 'with a refresh token that is valid for 4 weeks and is not replaced',
    revocation: 'nothing, because the provider documents no revocation',
    quirks: [
      'Attributes other than the user ID require the provider’s approval of the application; without it logins still succeed.',
      'An end user who denies returns without an error, which counts as `access_denied`.',
      'Native apps log in with an ID Token; an access token in addition supplies the attributes, and is stored in `client_access_token`. List their client IDs in the option `app_client_ids`.',
    ],
  },
  issuer: 'https://auth.login.yahoo.co.jp/yconnect/v2',
  endpoints: {
    authorization: 'https://auth.login.yahoo.co.jp/yconnect/v2/authorization',
    token: 'https://auth.login.yahoo.co.jp/yconnect/v2/token',
    userinfo: 'https://userinfo.yahooapis.jp/yconnect/v2/attribute',
  },
  id_token: { alg: 'RS256', jwks: 'https://auth.login.yahoo.co.jp/yconnect/v2/jwks' },
  // Required for server applications. Client IDs contain `-`, and neither the documentation nor the SDK encodes them.
  client_authentication: 'raw_basic',
  // Without it, an end user who denies ends on the provider's top page and never returns.
  fixedParameters: { bail: '1' },
  passedParameters: {},
  prompts: { login: 'login', select_account: 'select_account' },
  supportsMaxAge: true,
  toProviderScopes: (granted) => ['openid', ...knownScopes.filter((scope) => granted.includes(scope))],
  native: portalNative,
  toProviderData(claims) {
    const user = UserClaims.parse(claims)
    return {
      profile: {
        full_name: user.name,
        first_name: user.given_name,
        first_name_kana: user['given_name#ja-Kana-JP'],
        first_name_kanji: user['given_name#ja-Hani-JP'],
        last_name: user.family_name,
        last_name_kana: user['family_name#ja-Kana-JP'],
        last_name_kanji: user['family_name#ja-Hani-JP'],
        full_name_kana: toFullName(user['family_name#ja-Kana-JP'], user['given_name#ja-Kana-JP']),
        full_name_kanji: toFullName(user['family_name#ja-Hani-JP'], user['given_name#ja-Hani-JP']),
        user_name: user.nickname,
        image_url: user.picture,
        gender: genders.get(user.gender),
        birthday: birthdate.parse(user.birthdate),
        ...toAddressFields(user.address),
      },
      follow: null,
      email: toEmail(user),
      phone: [],
    }
  },
}

/** The provider has no `phone`. */
const knownScopes = ['profile', 'email', 'address'] as const

const genders = new Map<string | undefined, number>([
  ['male', 1],
  ['female', 2],
])
