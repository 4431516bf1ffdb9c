import { z } from 'zod'
import { deauthorize } from './deauthorize.ts'
import type { OidcDescription } from './oidc-description.ts'
import { text } from './text.ts'

const Told = z.object({
  name: text,
  displayName: text,
  picture: text,
  pictureUrl: text,
  statusMessage: text,
  email: text,
})

/** LINE Login v2.1. A web login's ID Token is signed with HS256 under the channel secret, whatever its discovery says. */
export const messaging: OidcDescription = {
  provider: 'messaging',
  manifest: {
    service: 'LINE Login v2.1',
    protocol: 'OpenID Connect',
    id_token_alg: 'HS256',
    email: 'never: the provider does not say',
    access_token: '30 days',
    refresh: 'by a refresh token that lives 90 days from the login and is not replaced',
    leaving: 'the consent is withdrawn (deauthorize) and the access token revoked',
    quirks: [
      'The e-mail address needs an approval in the provider’s console.',
      'Whether a person is a friend of the official account is asked at every login where one is tied to the channel.',
    ],
  },
  issuer: 'https://access.line.me',
  endpoints: {
    authorization: 'https://access.line.me/oauth2/v2.1/authorize',
    token: 'https://api.line.me/oauth2/v2.1/token',
    userinfo: 'https://api.line.me/oauth2/v2.1/userinfo',
  },
  id_token: { alg: 'HS256' },
  answersWithIss: false,
  always: {},
  passes: {
    // Without an official account tied to the channel the provider answers 400 and nobody can log in.
    bot_prompt: { values: ['normal', 'aggressive'], official_account_only: true },
    disable_auto_login: { values: ['true'] },
  },
  prompts: { login: 'login', consent: 'consent' },
  knowsMaxAge: true,
  // The friend status needs the provider's `profile`, too.
  scopesToAsk: (granted, { official_account }) => [
    'openid',
    ...(granted.includes('profile') || official_account ? ['profile'] : []),
    ...(granted.includes('email') ? ['email'] : []),
  ],
  toProviderData(claims) {
    const told = Told.parse(claims)
    return {
      profile: {
        // A freely chosen display name, so not the full name.
        user_name: told.displayName ?? told.name,
        image_url: told.pictureUrl ?? told.picture,
        bio: told.statusMessage,
      },
      follow: null,
      // The provider has no `email_verified`.
      email: told.email === undefined ? [] : [{ email: told.email, verified: false }],
      phone: [],
    }
  },
  moreClaims: {
    endpoint: 'https://api.line.me/v2/profile',
    read: (answer) => Told.partial().parse(answer),
    items: ['bio'],
  },
  friendStatus: {
    endpoint: 'https://api.line.me/friendship/v1/status',
    read: (answer) => z.object({ friendFlag: z.boolean() }).parse(answer).friendFlag,
  },
  // Absent unless the option was shown; `false` is that nothing changed, which says nothing of the status.
  becameFriend: (returned) => returned.get('friendship_status_changed') === 'true',
  leaving: { needsLiveToken: true, leave: deauthorize },
}
