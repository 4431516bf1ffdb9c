import { z } from 'zod'
import { toEmail } from './email.ts'
import type { OidcDescription } from './oidc-description.ts'
import { revokeToken } from './revoke-token.ts'
import { text } from './text.ts'

const Told = z.object({
  name: text,
  given_name: text,
  family_name: text,
  picture: text,
  profile: text,
  email: text,
  email_verified: z.unknown().optional(),
})

/** Google. */
export const search: OidcDescription = {
  provider: 'search',
  manifest: {
    service: 'Google, OpenID Connect',
    protocol: 'OpenID Connect',
    id_token_alg: 'RS256',
    email: 'as the provider says',
    access_token: '1 hour',
    refresh: 'by a refresh token, which comes at the first consent only',
    leaving: 'the grant is revoked, with every token of it',
    quirks: ['An account that was linked as `search_legacy` is found by a login through `search`.'],
  },
  issuer: 'https://accounts.google.com',
  endpoints: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
  },
  id_token: { alg: 'RS256', jwks: 'https://www.googleapis.com/oauth2/v3/certs' },
  answersWithIss: true,
  // A refresh token comes at the first consent only; the one given then is kept.
  always: { access_type: 'offline' },
  passes: {},
  // It has no `login`: the nearest is to have the person choose an account. `consent` is for messaging alone.
  prompts: { login: 'select_account', select_account: 'select_account' },
  knowsMaxAge: false,
  // It requires `profile` or `email` in addition to `openid`.
  scopesToAsk: (granted) => [
    'openid',
    ...(granted.includes('profile') || !granted.includes('email') ? ['profile'] : []),
    ...(granted.includes('email') ? ['email'] : []),
  ],
  toProviderData(claims) {
    const told = Told.parse(claims)
    return {
      profile: {
        full_name: told.name,
        first_name: told.given_name,
        last_name: told.family_name,
        image_url: told.picture,
        ...(told.profile !== undefined && { uri: [told.profile] }),
      },
      follow: null,
      email: toEmail(told),
      phone: [],
    }
  },
  leaving: {
    needsLiveToken: false,
    // One token ends the grant with every other; the one that lives longest is still good. No client authentication is asked.
    async leave(_settings, { refresh_token, access_token }, { fetch }) {
      const token = refresh_token ?? access_token
      if (token !== null) await revokeToken('https://oauth2.googleapis.com/revoke', { token }, fetch)
    },
  },
}
