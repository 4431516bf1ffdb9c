import {
  type ClaimMapping,
  genderCodes,
  listSuppliedItems,
  standardAddress,
  standardBirthday,
  standardEmail,
} from './claims.ts'
import { alwaysNull, appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'

/** A name that the end user has not entered is `""`. */
const claims = {
  profile: {
    full_name: '/name',
    full_name_kana: { as: 'text', from: ['/family_name#ja-Kana-JP', '/given_name#ja-Kana-JP'], join: 'all' },
    full_name_kanji: { as: 'text', from: ['/family_name#ja-Hani-JP', '/given_name#ja-Hani-JP'], join: 'all' },
    first_name: '/given_name',
    first_name_kana: '/given_name#ja-Kana-JP',
    first_name_kanji: '/given_name#ja-Hani-JP',
    last_name: '/family_name',
    last_name_kana: '/family_name#ja-Kana-JP',
    last_name_kanji: '/family_name#ja-Hani-JP',
    user_name: '/nickname',
    image_url: '/picture',
    gender: { as: 'code', from: '/gender', codes: genderCodes },
    birthday: standardBirthday,
    ...standardAddress,
  },
  email: standardEmail,
} as const satisfies ClaimMapping

const issuer = 'https://auth.login.yahoo.co.jp/yconnect/v2'
const jwks = `${issuer}/jwks`

/** Yahoo! JAPAN. */
export const portal = {
  displayName: { en: 'Yahoo! JAPAN', ja: 'Yahoo! JAPAN' },
  supplies: listSuppliedItems(claims),
  credential: {
    fields: {
      access_token: 'access_token',
      access_token_secret: alwaysNull,
      refresh_token: 'refresh_token',
      session_handle: alwaysNull,
      expires_at: 'expires_at',
      handle_expires_at: alwaysNull,
      client_access_token: 'client_access_token',
      client_refresh_token: 'client_refresh_token',
      client_expires_at: 'client_expires_at',
      friendship_updated_at: alwaysNull,
      ...linkTimes,
    },
    longAccessTokens: true,
  },
  chartColor: 'red.7',
  button: {
    label: { en: 'Log in with Yahoo! JAPAN ID', ja: 'Yahoo! JAPAN IDでログイン' },
    light: { background: '#ff0033', text: '#ffffff', border: '#ff0033' },
    dark: { background: '#ff0033', text: '#ffffff', border: '#ff0033' },
  },
  logo: {
    // A plain rendering of "Y!".
    path: 'M1.2 4.2h5l3 5.6 3-5.6h4.7l-5.6 9.5v6.1H6.8v-6.1zM18.6 4.2h4.2l-1.3 9.4h-2.1zM20.3 15.3a2.2 2.2 0 1 1 0 4.5 2.2 2.2 0 0 1 0-4.5z',
  },
  consoleUrl: 'https://e.developer.yahoo.co.jp/dashboard/',
  clientSecret: 'text',
  options: { app_client_ids: appClientIds },
  webhooks: [],
  documentation: {
    service: 'Yahoo! JAPAN ID, YConnect v2',
    email: 'if the provider says so',
    accessToken: '1 hour',
    refresh: 'with a refresh token that is valid for 4 weeks and is not replaced',
    revocation: 'nothing, because the provider documents no revocation',
    quirks: [
      'Attributes other than the user ID require the provider’s approval of the application; without it logins still succeed.',
      'An end user who denies returns without an error, which counts as `access_denied`.',
      'Native apps log in with an ID Token; an access token in addition supplies the attributes, and is stored in `client_access_token`. List their client IDs in the option `app_client_ids`.',
    ],
  },
  protocols: [
    {
      type: 'oidc',
      issuer,
      endpoints: {
        authorization: `${issuer}/authorization`,
        token: `${issuer}/token`,
        userinfo: 'https://userinfo.yahooapis.jp/yconnect/v2/attribute',
      },
      idToken: { alg: 'RS256', jwks },
      // Required for server applications. Client IDs contain `-`, and neither the documentation nor the SDK encodes them.
      clientAuthentication: 'raw_basic',
      usesPkce: true,
      // Without it, an end user who denies ends on the provider's top page and never returns.
      parameters: { bail: '1' },
      prompts: { login: { prompt: 'login' }, select_account: { prompt: 'select_account' } },
      supportsMaxAge: true,
      // The provider has no `phone`.
      scopes: { always: ['openid'], profile: ['profile'], email: ['email'], address: ['address'] },
      claims,
    },
  ],
  native: { idToken: { alg: 'RS256', jwks, issuer }, hasAppFields: true },
} as const satisfies LoginProviderDescription
