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

/** The `user` parameter, which the browser delivers; invalid parts count as absent. */
const PostedUser = z.object({
  name: z.object({ firstName: optionalText, lastName: optionalText }).catch({}).default({}),
})

const issuer = 'https://appleid.apple.com'
const jwks = `${issuer}/auth/keys`

/** Sign in with Apple. */
export const deviceDescription: OidcDescription = {
  provider: 'device',
  manifest: {
    service: 'Sign in with Apple',
    protocol: 'OpenID Connect',
    id_token_alg: 'RS256',
    email: 'if the provider says so; it may be an address of the provider’s relay',
    access_token: '1 hour; it grants access to nothing',
    refresh: 'with a refresh token that does not expire and is not replaced',
    revocation: 'revokes the tokens, which ends the consent',
    quirks: [
      'The client secret is a private key (PKCS #8 in PEM); a client secret is signed with it for each request.',
      'The provider sends the name only at the first consent, so request `profile` from a user’s first login on. The browser delivers it unsigned: display it, but do not rely on it.',
      'The provider returns end users with a cross-site POST. The callback URL must use https and must not be a local address.',
      'It supports neither reauthentication (`prompt`, `max_age`) nor PKCE.',
      'Native apps log in with an ID Token; the SDK delivers the name at the first login only. List their bundle IDs in the option `app_client_ids`.',
    ],
  },
  // Fixed here, because its discovery document has named another issuer than its tokens.
  issuer,
  endpoints: {
    authorization: 'https://appleid.apple.com/auth/authorize',
    token: 'https://appleid.apple.com/auth/token',
  },
  id_token: { alg: 'RS256', jwks },
  client_authentication: 'signed_secret',
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
  // Its SDK delivers an ID Token, and the name at the first consent. Access tokens grant access to nothing.
  native: { id_token: { alg: 'RS256', jwks, issuer } },
  revocation: {
    needsValidToken: false,
    // Revoking either token ends the consent and all other tokens.
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
