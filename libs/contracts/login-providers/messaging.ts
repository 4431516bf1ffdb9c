import { type ClaimMapping, genderCodes, listSuppliedItems, standardAddress, standardBirthday } from './claims.ts'
import { alwaysNull, appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'
import type { Permission } from './protocol.ts'

/** The permissions of LINE Profile+. */
const permissions = {
  real_name: {
    scope: 'profile',
    items: [
      'full_name',
      'full_name_kana',
      'first_name',
      'first_name_kana',
      'middle_name',
      'last_name',
      'last_name_kana',
    ],
  },
  gender: { scope: 'profile', items: ['gender'] },
  birthdate: { scope: 'profile', items: ['birthday'] },
  phone: { scope: 'phone', items: ['phone'] },
  address: { scope: 'address', items: ['postal_code', 'prefecture', 'city', 'street'] },
} as const satisfies Readonly<Record<string, Permission>>

// `Object.keys` loses the type of the keys.
export const messagingPermissions = Object.keys(permissions) as (keyof typeof permissions)[]

const claims = {
  profile: {
    // A freely chosen display name, not the full name.
    user_name: { as: 'text', from: ['/displayName', '/name'] },
    image_url: { as: 'text', from: ['/pictureUrl', '/picture'] },
    bio: '/statusMessage',
    // LINE Profile+, in the ID Token only.
    full_name: { as: 'text', from: ['/family_name', '/given_name'], join: 'all' },
    full_name_kana: {
      as: 'text',
      from: ['/family_name_pronunciation', '/given_name_pronunciation'],
      join: 'all',
    },
    first_name: '/given_name',
    first_name_kana: '/given_name_pronunciation',
    middle_name: '/middle_name',
    last_name: '/family_name',
    last_name_kana: '/family_name_pronunciation',
    // Any other value is a text of the end user.
    gender: { as: 'code', from: '/gender', codes: genderCodes, otherwise: 3 },
    birthday: standardBirthday,
    ...standardAddress,
  },
  // The provider has no `email_verified`.
  email: { address: '/email', verified: false },
  phone: { number: '/phone_number', type: 'phone' },
} as const satisfies ClaimMapping

const issuer = 'https://access.line.me'
const api = 'https://api.line.me'

/** LINE. */
export const messaging = {
  displayName: { en: 'LINE', ja: 'LINE' },
  supplies: listSuppliedItems(claims),
  credential: {
    fields: {
      access_token: 'access_token',
      refresh_token: 'refresh_token',
      expires_at: 'expires_at',
      friendship_status: 'friendship_status',
      friendship_status_updated_at: 'friendship_status_updated_at',
      friendship_updated_at: alwaysNull,
      ...linkTimes,
    },
  },
  chartColor: 'green.7',
  button: {
    label: { en: 'Log in with LINE', ja: 'LINEでログイン' },
    light: { background: '#06c755', text: '#ffffff', border: '#06c755' },
    dark: { background: '#06c755', text: '#ffffff', border: '#06c755' },
  },
  logo: {
    path: 'M19.365 9.863c.349 0 .63.285.63.631 0 .345-.281.63-.63.63H17.61v1.125h1.755c.349 0 .63.283.63.63 0 .344-.281.629-.63.629h-2.386c-.345 0-.627-.285-.627-.629V8.108c0-.345.282-.63.63-.63h2.386c.346 0 .627.285.627.63 0 .349-.281.63-.63.63H17.61v1.125h1.755zm-3.855 3.016c0 .27-.174.51-.432.596-.064.021-.133.031-.199.031-.211 0-.391-.09-.51-.25l-2.443-3.317v2.94c0 .344-.279.629-.631.629-.346 0-.626-.285-.626-.629V8.108c0-.27.173-.51.43-.595.06-.023.136-.033.194-.033.195 0 .375.104.495.254l2.462 3.33V8.108c0-.345.282-.63.63-.63.345 0 .63.285.63.63v4.771zm-5.741 0c0 .344-.282.629-.631.629-.345 0-.627-.285-.627-.629V8.108c0-.345.282-.63.63-.63.346 0 .628.285.628.63v4.771zm-2.466.629H4.917c-.345 0-.63-.285-.63-.629V8.108c0-.345.285-.63.63-.63.348 0 .63.285.63.63v4.141h1.756c.348 0 .629.283.629.63 0 .344-.282.629-.629.629M24 10.314C24 4.943 18.615.572 12 .572S0 4.943 0 10.314c0 4.811 4.27 8.842 10.035 9.608.391.082.923.258 1.058.59.12.301.079.766.038 1.08l-.164 1.02c-.045.301-.24 1.186 1.049.645 1.291-.539 6.916-4.078 9.436-6.975C23.176 14.393 24 12.458 24 10.314',
  },
  consoleUrl: 'https://developers.line.biz/console/',
  clientSecret: 'text',
  hasOfficialAccount: true,
  options: {
    /** The channel secret of the Messaging API channel, whose webhook reports new and lost friends. */
    webhook_secret: { type: 'text', secret: true, withOfficialAccount: true, maximum: 255 },
    app_client_ids: appClientIds,
    /** Where the provider's automatic login is off: it can open another browser than the one that started the login. */
    disable_auto_login: { type: 'choice', values: ['never', 'ios', 'always'], default: 'never' },
    /** Permissions of LINE Profile+, as far as the provider approved them for the channel: the names of their scopes. */
    permissions: {
      type: 'list',
      message: 'names unknown permissions',
      values: messagingPermissions,
    },
  },
  webhooks: ['events'],
  documentation: {
    service: 'LINE Login v2.1',
    email: 'never, because the provider does not say',
    accessToken: '30 days',
    refresh: 'with a refresh token that is valid for 90 days after the login and is not replaced',
    revocation: 'withdraws the consent (deauthorize) and revokes the access token',
    quirks: [
      'The e-mail address requires an approval in the provider’s console.',
      'Name, kana, gender, birthday, phone number and address require permissions of LINE Profile+, which the provider approves for companies in Japan; list them in the option `permissions` (`real_name`, `gender`, `birthdate`, `phone`, `address`).',
      'The scope `profile` requests name, gender and birthday, `phone` the phone number, and `address` the address; a login with a one-time token requests what `extended_items` names.',
      'If an official account is linked to the channel, the friendship status is requested at every login.',
      'Automatic login can return in another browser than the one that started the login; the option `disable_auto_login` turns it off on iOS or everywhere (`never`, `ios`, `always`).',
      'Native apps log in with an access token or ID Token of the LINE SDK. List their channels in the option `app_client_ids`.',
    ],
  },
  protocols: [
    {
      type: 'oidc',
      issuer,
      endpoints: {
        authorization: `${issuer}/oauth2/v2.1/authorize`,
        token: `${api}/oauth2/v2.1/token`,
        userinfo: `${api}/oauth2/v2.1/userinfo`,
      },
      // That of web logins, whatever its discovery document says.
      idToken: { alg: 'HS256' },
      usesPkce: true,
      optionParameters: {
        disable_auto_login: {
          ios: { disable_ios_auto_login: 'true' },
          always: { disable_auto_login: 'true' },
        },
      },
      passedParameters: {
        // Without an official account linked to the channel, the provider responds with 400 and no end user can log in.
        bot_prompt: { values: ['normal', 'aggressive'], official_account_only: true },
        disable_auto_login: { values: ['true'] },
        ui_locales: {},
      },
      prompts: { login: { prompt: 'login' }, consent: { prompt: 'consent' } },
      supportsMaxAge: true,
      // The friendship status also requires the provider's `profile`.
      scopes: { always: ['openid'], profile: ['profile'], email: ['email'], officialAccount: ['profile'] },
      claims,
      additionalClaims: { endpoint: `${api}/v2/profile`, items: ['bio'] },
      friendship: {
        endpoint: `${api}/friendship/v1/status`,
        status: '/friendFlag',
        // Absent unless the option was shown. `false` means unchanged and says nothing about the status.
        newFriendParameter: 'friendship_status_changed',
      },
    },
  ],
  permissions,
  // The ID Tokens of the LINE SDK are signed with ES256, unlike those of web logins.
  native: { idToken: { alg: 'ES256', jwks: `${api}/oauth2/v2.1/certs`, issuer } },
} as const satisfies LoginProviderDescription
