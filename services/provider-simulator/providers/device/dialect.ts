import {
  type Check,
  clientIsKnown,
  oneOf,
  parametersAreUnique,
  parametersAreValid,
  redirectUriIsRegistered,
  scopesAreKnown,
  words,
} from '../../oauth/checks.ts'
import type { Allowed, Dialect } from '../../oauth/dialect.ts'
import { type ErrorFields, oauthError } from '../../oauth/errors.ts'
import { claimsOfEmail, subjectOf } from './account.ts'
import { unknownClient, verifyClientSecret } from './client-secret.ts'

const missing = (name: string): ErrorFields => oauthError('invalid_request', `${name} is missing.`)
const invalidRequest = (description: string) => oauthError('invalid_request', description)

const responseTypeHasCode: Check = ({ values }) => {
  const types = words(values.get('response_type'))
  const isKnown = types.includes('code') && types.every((type) => type === 'code' || type === 'id_token')
  return isKnown ? undefined : invalidRequest('response_type must be code, or code id_token.')
}

const responseModeFits: Check = ({ values, scopes }) => {
  const mode = values.get('response_mode') ?? 'query'
  if (mode !== 'form_post' && scopes.some((scope) => scope !== 'openid')) {
    return invalidRequest('response_mode must be form_post when name or email scope is requested.')
  }
  if (mode === 'query' && words(values.get('response_type')).includes('id_token')) {
    return invalidRequest('response_mode must be fragment or form_post when an id_token is requested.')
  }
  return undefined
}

/** The device provider: Sign in with Apple. */
export const device: Dialect = {
  name: 'device',
  title: 'Device',
  summary:
    'OpenID Connect (RS256, several keys) without userinfo: people come back by a form that their browser posts, with their name at the first consent only, and a client’s secret is a token it signs with ES256. What people do about their account is played by a POST of client_id and user.',
  // The life of the access token is not documented, and a refresh token has no end; both are our choice.
  lifetimes: { code: 300, accessToken: 3_600, refreshToken: 10 * 365 * 86_400 },
  subject: subjectOf,

  authorization: {
    path: '/auth/authorize',
    // Every login has an ID Token, also without the scope.
    readScopes: (scope) => ['openid', ...words(scope).filter((word) => word !== 'openid')],
    checksOnPage: [
      parametersAreUnique((name) => `${name} is given more than once.`),
      clientIsKnown(oauthError('invalid_client', 'the client_id is not registered here.')),
      // The real provider allows neither http nor localhost nor an IP address.
      redirectUriIsRegistered(
        invalidRequest('the redirect_uri is not registered for this client. It must match to the letter.'),
      ),
      responseTypeHasCode,
      scopesAreKnown(['openid', 'name', 'email'], 'scope may hold name and email.'),
      parametersAreValid(
        { response_mode: oneOf('query', 'fragment', 'form_post') },
        (name) => `${name} must be query, fragment or form_post.`,
      ),
      responseModeFits,
    ],
    errorPage: ({ error, description }) => ({
      heading: 'This request cannot go on',
      message: `${error}: ${description}`,
    }),
    shares: (scopes) => [
      'Your account id',
      ...(scopes.includes('name') ? ['Your name, when you allow it for the first time'] : []),
      ...(scopes.includes('email') ? ['Your e-mail address, or one that hides it'] : []),
    ],
    option: (scopes) =>
      scopes.includes('email') ? 'Hide my e-mail address (counts when you allow it for the first time)' : undefined,
    onAllow(allowed) {
      const { consent, isFirst, optionChosen } = allowed
      if (isFirst && optionChosen) consent.declined.add('email')
      return { parameters: { user: isFirst ? userOf(allowed) : undefined } }
    },
    denial: () => ({ error: 'user_cancelled_authorize' }),
    hasResponseModes: true,
    stateFirst: true,
  },

  clientAuthentication: {
    methods: ['form'],
    missing,
    unknownClient,
    wrongSecret: unknownClient,
    verifySecret: verifyClientSecret,
  },
  code: { prefix: 'c' },
  accessToken: { prefix: 'a' },
  refreshToken: {
    prefix: 'r',
    onRefresh: 'omitted',
    invalid: oauthError('invalid_grant', 'The token has expired or has been revoked.'),
  },
  token: {
    path: '/auth/token',
    tokenType: 'Bearer',
    missing,
    unsupportedGrantType: oauthError(
      'unsupported_grant_type',
      'grant_type must be authorization_code or refresh_token.',
    ),
    invalidCode: oauthError('invalid_grant', 'The code has expired or has been revoked.'),
    redirectUriMismatch: oauthError('invalid_grant', 'redirect_uri is not the one of the authorization request.'),
  },
  // The next login is a first one again.
  revocation: { path: '/auth/revoke', parameter: 'token', authenticatesClient: true, ends: 'consent', body: '' },

  openid: {
    metadata: {
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'name'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      claims_supported: [
        ...['aud', 'email', 'email_verified', 'exp', 'iat', 'is_private_email', 'iss', 'nonce', 'nonce_supported'],
        ...['real_user_status', 'sub', 'transfer_sub'],
      ],
    },
    keys: { path: '/auth/keys', alg: 'RS256', ids: () => ['86D88Kf', 'eXaunmL', 'YuyXoY'] },
    idToken: {
      alg: 'RS256',
      lifetimeSeconds: 86_400,
      header: {},
      audience: 'text',
      hasAccessTokenHash: true,
      // There is no name in it.
      claims: (identity, { scopes, consent, auth_time }, nonce) => ({
        ...(nonce !== undefined && { nonce_supported: true }),
        ...(scopes.includes('email') && claimsOfEmail(identity, consent)),
        auth_time,
      }),
      onRefresh: true,
    },
  },
}

/** `user` comes with the first consent only, and unsigned: the browser transfers it and may change it. */
function userOf({ client, person, scopes, consent }: Allowed): string | undefined {
  const name = { firstName: person.given_name, lastName: person.family_name ?? '' }
  const user = {
    ...(scopes.includes('name') && { name }),
    ...(scopes.includes('email') && { email: claimsOfEmail({ client, person }, consent).email }),
  }
  return Object.keys(user).length === 0 ? undefined : JSON.stringify(user)
}
