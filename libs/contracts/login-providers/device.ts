import { type ClaimMapping, listSuppliedItems, standardEmail } from './claims.ts'
import { appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'

const tenCapitals = { pattern: '^[A-Z0-9]{10}$', message: 'must be 10 capital letters and digits' }

const claims = {
  profile: {
    full_name: { as: 'text', from: ['/first_name', '/last_name'], join: 'any' },
    first_name: '/first_name',
    last_name: '/last_name',
  },
  email: standardEmail,
  sentOnce: [['full_name', 'first_name', 'last_name'], ['email']],
} as const satisfies ClaimMapping

const issuer = 'https://appleid.apple.com'
const jwks = `${issuer}/auth/keys`

/** Apple. */
export const device = {
  displayName: { en: 'Apple', ja: 'Apple' },
  supplies: listSuppliedItems(claims),
  credential: { fields: linkTimes },
  chartColor: 'gray.6',
  button: {
    label: { en: 'Sign in with Apple', ja: 'Appleでサインイン' },
    light: { background: '#000000', text: '#ffffff', border: '#000000' },
    dark: { background: '#ffffff', text: '#000000', border: '#ffffff' },
  },
  logo: {
    path: 'M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701',
  },
  consoleUrl: 'https://developer.apple.com/account/resources/identifiers/list/serviceId',
  clientSecret: 'private_key',
  options: {
    team_id: { type: 'text', required: true, maximum: 10, format: tenCapitals },
    key_id: { type: 'text', required: true, maximum: 10, format: tenCapitals },
    /** The primary App ID of the client ID's group, if the provider's webhooks are addressed to it. */
    app_id: { type: 'text', maximum: 255 },
    app_client_ids: appClientIds,
  },
  webhooks: ['events'],
  documentation: {
    service: 'Sign in with Apple',
    email: 'if the provider says so; it may be an address of the provider’s relay',
    accessToken: '1 hour; it grants access to nothing',
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
  protocols: [
    {
      type: 'oidc',
      // Fixed here, because its discovery document has named another issuer than its tokens.
      issuer,
      endpoints: { authorization: `${issuer}/auth/authorize`, token: `${issuer}/auth/token` },
      idToken: { alg: 'RS256', jwks },
      clientAuthentication: 'signed_secret',
      usesFormPost: true,
      usesPkce: false,
      prompts: {},
      scopes: { always: ['openid'], profile: ['name'], email: ['email'] },
      callbackClaims: {
        parameter: 'user',
        claims: { first_name: '/name/firstName', last_name: '/name/lastName' },
      },
      claims,
      revocation: { endpoint: `${issuer}/auth/revoke`, tokens: 'one' },
    },
  ],
  // Its SDK delivers an ID Token, and the name at the first consent. Access tokens grant access to nothing.
  native: { idToken: { alg: 'RS256', jwks, issuer } },
} as const satisfies LoginProviderDescription
