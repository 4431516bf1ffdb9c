import { z } from 'zod'
import { deauthorizeUser } from './deauthorize.ts'
import { messagingFriendship, messagingNative } from './messaging-native.ts'
import type { OidcDescription } from './oidc-description.ts'
import { optionalText } from './optional-text.ts'

const UserClaims = z.object({
  name: optionalText,
  displayName: optionalText,
  picture: optionalText,
  pictureUrl: optionalText,
  statusMessage: optionalText,
  email: optionalText,
})

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
      'If an official account is linked to the channel, the friendship status is requested at every login.',
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
  sendsIssuer: false,
  fixedParameters: {},
  passedParameters: {
    // Without an official account linked to the channel, the provider responds with 400 and no end user can log in.
    bot_prompt: { values: ['normal', 'aggressive'], official_account_only: true },
    disable_auto_login: { values: ['true'] },
  },
  prompts: { login: 'login', consent: 'consent' },
  supportsMaxAge: true,
  // The friendship status also requires the provider's `profile`.
  toProviderScopes: (scope, { official_account }) => [
    'openid',
    ...(scope.includes('profile') || official_account ? ['profile'] : []),
    ...(scope.includes('email') ? ['email'] : []),
  ],
  toProviderData(claims) {
    const user = UserClaims.parse(claims)
    return {
      profile: {
        // A freely chosen display name, not the full name.
        user_name: user.displayName ?? user.name,
        image_url: user.pictureUrl ?? user.picture,
        bio: user.statusMessage,
      },
      follow: null,
      // The provider has no `email_verified`.
      email: user.email === undefined ? [] : [{ email: user.email, verified: false }],
      phone: [],
    }
  },
  additionalClaims: {
    endpoint: 'https://api.line.me/v2/profile',
    read: (body) => UserClaims.partial().parse(body),
    items: ['bio'],
  },
  friendshipStatus: messagingFriendship,
  native: messagingNative,
  // Absent unless the option was shown. `false` means unchanged and says nothing about the status.
  isNewFriend: (returned) => returned.get('friendship_status_changed') === 'true',
  revocation: { needsValidToken: true, revoke: deauthorizeUser },
}
