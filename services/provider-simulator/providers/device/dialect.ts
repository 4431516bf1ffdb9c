import {
  type Check,
  clientIsKnown,
  isOneOf,
  parametersAreUnique,
  parametersAreValid,
  redirectUriIsRegistered,
  scopesAreKnown,
  splitWords,
} from '../../oauth/checks.ts'
import type { Allowed, Dialect } from '../../oauth/dialect.ts'
import { type ErrorFields, oauthError } from '../../oauth/errors.ts'
import { deriveDeviceSubject, getEmailClaims } from './account.ts'
import { unknownClient, verifyClientSecret } from './client-secret.ts'

const missing = (name: string): ErrorFields => oauthError('invalid_request', `${name} is missing.`)
const invalidRequest = (description: string) => oauthError('invalid_request', description)

const responseTypeHasCode: Check = ({ values }) => {
  const types = splitWords(values.get('response_type'))
  const isKnown = types.includes('code') && types.every((type) => type === 'code' || type === 'id_token')
  return isKnown ? undefined : invalidRequest('response_type must be code, or code id_token.')
}

const responseModeFits: Check = ({ values, scopes }) => {
  const mode = values.get('response_mode') ?? 'query'
  if (mode !== 'form_post' && scopes.some((scope) => scope !== 'openid')) {
    return invalidRequest('response_mode must be form_post when name or email scope is requested.')
  }
  if (mode === 'query' && splitWords(values.get('response_type')).includes('id_token')) {
    return invalidRequest('response_mode must be fragment or form_post when an id_token is requested.')
  }
  return undefined
}

/** The device provider: Sign in with Apple. */
export const deviceDialect: Dialect = {
  name: 'device',
  title: 'Device',
  summary:
    'OpenID Connect (RS256, several keys) without userinfo: the browser returns with a posted form, which contains the name at the first consent only, and the client secret is a JWT that the client signs with ES256. To simulate account events, POST client_id and user.',
  // The lifetime of the access token is not documented, and refresh tokens do not expire; both values are our choice.
  lifetimes: { code: 300, accessToken: 3_600, refreshToken: 10 * 365 * 86_400 },
  subject: deriveDeviceSubject,

  authorization: {
    path: '/auth/authorize',
    // Every login has an ID Token, also without the `openid` scope.
    readScopes: (scope) => ['openid', ...splitWords(scope).filter((word) => word !== 'openid')],
    checksOnPage: [
      parametersAreUnique((name) => `${name} is given more than once.`),
      clientIsKnown(oauthError('invalid_client', 'the client_id is not registered in the simulator.')),
      // The real provider allows neither http nor localhost nor an IP address.
      redirectUriIsRegistered(
        invalidRequest('the redirect_uri is not registered for this client. It must match exactly.'),
      ),
      responseTypeHasCode,
      scopesAreKnown(['openid', 'name', 'email'], 'scope may hold name and email.'),
      parametersAreValid(
        { response_mode: isOneOf('query', 'fragment', 'form_post') },
        (name) => `${name} must be query, fragment or form_post.`,
      ),
      responseModeFits,
    ],
    errorPage: ({ error, description }) => ({
      heading: 'Invalid request',
      message: `${error}: ${description}`,
    }),
    shares: (scopes) => [
      'Your account ID',
      ...(scopes.includes('name') ? ['Your name, at the first consent'] : []),
      ...(scopes.includes('email') ? ['Your e-mail address, or one that hides it'] : []),
    ],
    option: (scopes) =>
      scopes.includes('email') ? 'Hide my e-mail address (applies to the first consent only)' : undefined,
    onAllow(allowed) {
      const { consent, isFirst, optionChosen } = allowed
      if (isFirst && optionChosen) consent.declined.add('email')
      return { parameters: { user: isFirst ? buildUserParameter(allowed) : undefined } }
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
    redirectUriMismatch: oauthError('invalid_grant', 'redirect_uri differs from the authorization request.'),
  },
  // The next login counts as a first consent.
  revocation: { path: '/auth/revoke', parameter: 'token', authenticatesClient: true, ends: 'consent', body: '' },

  sdk: { hasAccessToken: false, scopes: ['openid', 'name', 'email'] },
  openid: {
    metadata: {
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'name'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      claims_supported: [
        'aud',
        'email',
        'email_verified',
        'exp',
        'iat',
        'is_private_email',
        'iss',
        'nonce',
        'nonce_supported',
        'real_user_status',
        'sub',
        'transfer_sub',
      ],
    },
    keys: { path: '/auth/keys', alg: 'RS256', ids: () => ['86D88Kf', 'eXaunmL', 'YuyXoY'] },
    idToken: {
      alg: 'RS256',
      lifetimeSeconds: 86_400,
      header: {},
      audience: 'text',
      hasAccessTokenHash: true,
      // The ID Token has no name.
      claims: (identity, { scopes, consent, auth_time }, nonce) => ({
        ...(nonce !== undefined && { nonce_supported: true }),
        ...(scopes.includes('email') && getEmailClaims(identity, consent)),
        auth_time,
      }),
      onRefresh: true,
    },
  },
}

/** `user` is sent at the first consent only, and unsigned: the browser transfers it and may change it. */
function buildUserParameter({ client, user, scopes, consent }: Allowed): string | undefined {
  const name = { firstName: user.given_name, lastName: user.family_name ?? '' }
  const parameter = {
    ...(scopes.includes('name') && { name }),
    ...(scopes.includes('email') && { email: getEmailClaims({ client, user }, consent).email }),
  }
  return Object.keys(parameter).length === 0 ? undefined : JSON.stringify(parameter)
}
