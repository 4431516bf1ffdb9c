import { z } from 'zod'
import { toEmail } from './email.ts'
import type { OidcDescription } from './oidc-description.ts'
import { optionalText } from './optional-text.ts'
import { revokeToken } from './revoke-token.ts'
import { searchNative } from './search-native.ts'

const UserClaims = z.object({
  name: optionalText,
  given_name: optionalText,
  family_name: optionalText,
  picture: optionalText,
  profile: optionalText,
  email: optionalText,
  email_verified: z.unknown().optional(),
})

/** Google. */
export const searchDescription: OidcDescription = {
  provider: 'search',
  manifest: {
    service: 'Google, OpenID Connect',
    protocol: 'OpenID Connect',
    id_token_alg: 'RS256',
    email: 'if the provider says so',
    access_token: '1 hour',
    refresh: 'with a refresh token, which the provider issues at the first consent only',
    revocation: 'revokes the grant with all of its tokens',
    quirks: [
      'A login through `search` also finds accounts that are linked as `search_legacy`.',
      'Native apps log in with an ID Token or access token. List their client IDs in the option `app_client_ids`.',
    ],
  },
  issuer: 'https://accounts.google.com',
  endpoints: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
  },
  id_token: { alg: 'RS256', jwks: 'https://www.googleapis.com/oauth2/v3/certs' },
  // The provider issues a refresh token at the first consent only; we store that one.
  fixedParameters: { access_type: 'offline' },
  passedParameters: { login_hint: {} },
  // It does not support `login`; the closest prompt lets the end user choose an account. `consent` is for messaging
  // only.
  prompts: { login: 'select_account', select_account: 'select_account' },
  supportsMaxAge: false,
  // It requires `profile` or `email` in addition to `openid`.
  toProviderScopes: (scope) => [
    'openid',
    ...(scope.includes('profile') || !scope.includes('email') ? ['profile'] : []),
    ...(scope.includes('email') ? ['email'] : []),
  ],
  toProviderData(claims) {
    const user = UserClaims.parse(claims)
    return {
      profile: {
        full_name: user.name,
        first_name: user.given_name,
        last_name: user.family_name,
        image_url: user.picture,
        ...(user.profile !== undefined && { uri: [user.profile] }),
      },
      follow: null,
      email: toEmail(user),
      phone: [],
    }
  },
  native: searchNative,
  revocation: {
    needsValidToken: false,
    // Revoking one token ends the grant; the refresh token lives longest. The provider requires no client
    // authentication.
    async revoke(_settings, { refresh_token, access_token }, { fetch }) {
      const token = refresh_token ?? access_token
      if (token !== null) await revokeToken('https://oauth2.googleapis.com/revoke', { token }, fetch)
    },
  },
}
