import { z } from 'zod'
import { parseJson } from '#http'
import { toEmail } from './email.ts'
import type { OidcDescription } from './oidc-description.ts'
import { optionalText } from './optional-text.ts'
import { revokeToken } from './revoke-token.ts'
import { signClientSecret } from './signed-secret.ts'

const UserClaims = z.object({
  first_name: optionalText,
  last_name: optionalText,
  email: optionalText,
  email_verified: z.unknown().optional(),
})

/** What comes by way of the browser; anything else in it counts as not told. */
const PostedUser = z.object({
  name: z.object({ firstName: optionalText, lastName: optionalText }).catch({}).default({}),
})

/** Sign in with Apple. */
export const deviceDescription: OidcDescription = {
  provider: 'device',
  manifest: {
    service: 'Sign in with Apple',
    protocol: 'OpenID Connect',
    id_token_alg: 'RS256',
    email: 'as the provider says; it may be an address of its relay',
    access_token: '1 hour, of no use',
    refresh: 'by a refresh token that has no end and is not replaced',
    revocation: 'the tokens are revoked, which ends the consent',
    quirks: [
      'The client secret is the private key (PEM of PKCS #8), with which a client secret is signed for each request.',
      'The name is sent only at the first consent, so request `profile` from a user’s first login on. It comes unsigned through the browser: display it, but do not rely on it.',
      'People come back by a POST from the provider’s site. The callback address must be https, and no local address.',
      'It can be asked neither to authenticate anew (`prompt`, `max_age`) nor for a proof of the code (PKCE).',
    ],
  },
  // Pinned: its discovery document has named another issuer than its tokens.
  issuer: 'https://appleid.apple.com',
  endpoints: {
    authorization: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
  },
  id_token: { alg: 'RS256', jwks: 'https://appleid.apple.com/auth/keys' },
  client_authentication: 'signed_secret',
  sendsIssuer: false,
  usesFormPost: true,
  supportsPkce: false,
  fixedParameters: {},
  passedParameters: {},
  prompts: {},
  supportsMaxAge: false,
  toProviderScopes: (scope) => [
    'openid',
    ...(scope.includes('profile') ? ['name'] : []),
    ...(scope.includes('email') ? ['email'] : []),
  ],
  readCallbackClaims(returned) {
    const { name } = PostedUser.catch({ name: {} }).parse(parseJson(returned.get('user') ?? ''))
    return { first_name: name.firstName, last_name: name.lastName }
  },
  toProviderData(claims) {
    const { first_name, last_name, ...user } = UserClaims.parse(claims)
    const fullName = [first_name, last_name].filter((part) => part !== undefined).join(' ')
    const named = fullName !== ''
    const email = toEmail(user)
    return {
      profile: named ? { full_name: fullName, first_name, last_name } : {},
      follow: null,
      email,
      phone: [],
      not_obtained: [...(named ? [] : nameItems), ...(email.length > 0 ? [] : (['email'] as const))],
    }
  },
  revocation: {
    needsValidToken: false,
    // Either token ends the consent, with every other token.
    async revoke(settings, { refresh_token, access_token }, { fetch, issuer }) {
      const token = refresh_token ?? access_token
      if (token === null) return
      const tokenTypeHint = refresh_token === null ? 'access_token' : 'refresh_token'
      const clientSecret = await signClientSecret(settings, issuer)
      const form = { client_id: settings.client_id, client_secret: clientSecret, token, token_type_hint: tokenTypeHint }
      await revokeToken('https://appleid.apple.com/auth/revoke', form, fetch)
    },
  },
}

const nameItems = ['full_name', 'first_name', 'last_name'] as const
