import { z } from 'zod'
import { toEmail } from './email.ts'
import type { OidcDescription } from './oidc-description.ts'
import { optionalText } from './optional-text.ts'
import { revokeToken } from './revoke-token.ts'

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
    email: 'as the provider says',
    access_token: '1 hour',
    refresh: 'by a refresh token, which comes at the first consent only',
    revocation: 'the grant is revoked, with every token of it',
    quirks: ['An account that was linked as `search_legacy` is found by a login through `search`.'],
  },
  issuer: 'https://accounts.google.com',
  endpoints: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
  },
  id_token: { alg: 'RS256', jwks: 'https://www.googleapis.com/oauth2/v3/certs' },
  sendsIssuer: true,
  // A refresh token comes at the first consent only; the one given then is kept.
  fixedParameters: { access_type: 'offline' },
  passedParameters: {},
  // It has no `login`: the nearest is to have the person choose an account. `consent` is for messaging alone.
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
  revocation: {
    needsValidToken: false,
    // One token ends the grant with every other; the one that lives longest is still good. No client authentication is asked.
    async revoke(_settings, { refresh_token, access_token }, { fetch }) {
      const token = refresh_token ?? access_token
      if (token !== null) await revokeToken('https://oauth2.googleapis.com/revoke', { token }, fetch)
    },
  },
}
