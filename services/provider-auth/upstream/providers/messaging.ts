import { z } from 'zod'
import { messagingPermissions, type ProfileItem } from '#contracts'
import type { Scope } from '../../domain/scopes.ts'
import { Address, toAddressFields } from './address.ts'
import { birthdate } from './birthdate.ts'
import { deauthorizeUser } from './deauthorize.ts'
import { toFullName } from './full-name.ts'
import { messagingFriendship, messagingNative } from './messaging-native.ts'
import type { OidcDescription } from './oidc-description.ts'
import { optionalText } from './optional-text.ts'

/** The profile resource. */
const ProfileClaims = z.object({ displayName: optionalText, pictureUrl: optionalText, statusMessage: optionalText })

const UserClaims = ProfileClaims.extend({
  name: optionalText,
  picture: optionalText,
  email: optionalText,
  // LINE Profile+, in the ID Token only.
  given_name: optionalText,
  given_name_pronunciation: optionalText,
  middle_name: optionalText,
  family_name: optionalText,
  family_name_pronunciation: optionalText,
  gender: optionalText,
  birthdate: optionalText,
  phone_number: optionalText,
  address: Address,
})

/** The permissions of LINE Profile+: our scope that covers each, and the items that it opens. */
const permissions: Readonly<
  Record<(typeof messagingPermissions)[number], { readonly scope: Scope; readonly items: readonly ProfileItem[] }>
> = {
  real_name: {
    scope: 'profile',
    items: [
      ...(['full_name', 'full_name_kana', 'first_name', 'first_name_kana'] as const),
      ...(['middle_name', 'last_name', 'last_name_kana'] as const),
    ],
  },
  gender: { scope: 'profile', items: ['gender'] },
  birthdate: { scope: 'profile', items: ['birthday'] },
  phone: { scope: 'phone', items: ['phone'] },
  address: { scope: 'address', items: ['postal_code', 'prefecture', 'city', 'street'] },
}

/**
 * LINE Login v2.1. ID Tokens of web logins are signed with HS256 and the channel secret, whatever its discovery
 * document says.
 */
export const messagingDescription: OidcDescription = {
  provider: 'messaging',
  manifest: {
    service: 'LINE Login v2.1',
    protocol: 'OpenID Connect',
    id_token_alg: 'HS256',
    email: 'never, because the provider does not say',
    access_token: '30 days',
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
  issuer: 'https://access.line.me',
  endpoints: {
    authorization: 'https://access.line.me/oauth2/v2.1/authorize',
    token: 'https://api.line.me/oauth2/v2.1/token',
    userinfo: 'https://api.line.me/oauth2/v2.1/userinfo',
  },
  id_token: { alg: 'HS256' },
  fixedParameters: {},
  toSiteParameters: ({ options }) => autoLoginParameters.get(options.disable_auto_login) ?? {},
  passedParameters: {
    // Without an official account linked to the channel, the provider responds with 400 and no end user can log in.
    bot_prompt: { values: ['normal', 'aggressive'], official_account_only: true },
    disable_auto_login: { values: ['true'] },
    ui_locales: {},
  },
  prompts: { login: 'login', consent: 'consent' },
  supportsMaxAge: true,
  // The friendship status also requires the provider's `profile`.
  toProviderScopes: (scope, { official_account, options }, extendedItems = messagingPermissions) => [
    'openid',
    ...(scope.includes('profile') || official_account ? ['profile'] : []),
    ...(scope.includes('email') ? ['email'] : []),
    // The provider rejects a login that requests a permission that it did not approve.
    ...messagingPermissions.filter(
      (name) =>
        options.permissions?.split(',').includes(name) &&
        scope.includes(permissions[name].scope) &&
        extendedItems.includes(name),
    ),
  ],
  toProviderData(claims) {
    const user = UserClaims.parse(claims)
    return {
      profile: {
        full_name: toFullName(user.family_name, user.given_name),
        full_name_kana: toFullName(user.family_name_pronunciation, user.given_name_pronunciation),
        first_name: user.given_name,
        first_name_kana: user.given_name_pronunciation,
        middle_name: user.middle_name,
        last_name: user.family_name,
        last_name_kana: user.family_name_pronunciation,
        // Any other value is a text of the end user.
        gender: user.gender === undefined ? undefined : (genders.get(user.gender) ?? otherGender),
        birthday: birthdate.parse(user.birthdate),
        ...toAddressFields(user.address),
        // A freely chosen display name, not the full name.
        user_name: user.displayName ?? user.name,
        image_url: user.pictureUrl ?? user.picture,
        bio: user.statusMessage,
      },
      follow: null,
      // The provider has no `email_verified`.
      email: user.email === undefined ? [] : [{ email: user.email, verified: false }],
      // The provider does not say whether it is verified, nor its type.
      phone: user.phone_number === undefined ? [] : [{ number: user.phone_number, verified: false, type: 'phone' }],
    }
  },
  listUnrequestedItems: (scopes) =>
    messagingPermissions.filter((name) => !scopes.includes(name)).flatMap((name) => permissions[name].items),
  additionalClaims: {
    endpoint: 'https://api.line.me/v2/profile',
    read: (body) => ProfileClaims.partial().parse(body),
    items: ['bio'],
  },
  friendshipStatus: messagingFriendship,
  native: messagingNative,
  // Absent unless the option was shown. `false` means unchanged and says nothing about the status.
  isNewFriend: (returned) => returned.get('friendship_status_changed') === 'true',
  revocation: { needsValidToken: true, revoke: deauthorizeUser },
}

const autoLoginParameters = new Map<string | undefined, Record<string, string>>([
  ['ios', { disable_ios_auto_login: 'true' }],
  ['always', { disable_auto_login: 'true' }],
])

const genders = new Map([
  ['male', 1],
  ['female', 2],
])
const otherGender = 3
