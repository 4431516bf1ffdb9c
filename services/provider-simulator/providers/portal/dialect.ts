import { randomUUID } from 'node:crypto'
import {
  clientIsKnown,
  isOneOf,
  isPromptOf,
  matchesPattern,
  parametersArePresent,
  parametersAreUnique,
  parametersAreValid,
  redirectUriIsRegistered,
  responseTypeIsCode,
  s256Challenge,
  scopesAreKnown,
  signInIsAllowed,
} from '../../oauth/checks.ts'
import type { Dialect, Identity } from '../../oauth/dialect.ts'
import { type ErrorFormat, oauthError, oauthErrorFormat } from '../../oauth/errors.ts'
import type { Grant } from '../../oauth/grants.ts'
import { derivePortalAccount } from './account.ts'

/** Every error also has a code. The codes are our choice: they are not documented. */
const errorCodes: Readonly<Record<string, number>> = {
  invalid_request: 1001,
  invalid_scope: 1002,
  unsupported_response_type: 1003,
  login_required: 2001,
  invalid_client: 3001,
  invalid_redirect_uri: 3002,
  invalid_grant: 3003,
  unsupported_grant_type: 3004,
}

const numberedErrors: ErrorFormat = {
  ...oauthErrorFormat,
  body: (fields) => ({ ...oauthErrorFormat.body(fields), error_code: errorCodes[fields.error] ?? 0 }),
}

const bearerErrors: ErrorFormat = {
  body: oauthErrorFormat.body,
  challenge: ({ error, description }) => `Bearer error="${error}",error_description="${description}"`,
}

const scopes = ['openid', 'profile', 'email', 'address']
const unknownClient = oauthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
const wrongVerifier = oauthError('invalid_grant', 'code_verifier does not match the code_challenge.')

/** The web-portal provider: Yahoo! JAPAN's YConnect v2. */
export const portalDialect: Dialect = {
  name: 'portal',
  title: 'Portal',
  summary:
    'OpenID Connect (RS256) with a list as audience and Basic authentication without encoding; a user who denies returns only with bail=1, and then without an error.',
  basePath: '/yconnect/v2',
  // The lifetime of a code is our choice: it is not documented.
  lifetimes: { code: 600, accessToken: 3_600, refreshToken: 28 * 86_400 },
  // 26 characters of 0-9A-Z.
  subject: ({ digest }) =>
    BigInt(`0x${digest.slice(0, 34)}`)
      .toString(36)
      .toUpperCase()
      .padStart(26, '0')
      .slice(-26),

  authorization: {
    path: '/authorization',
    methods: ['GET', 'POST'],
    checksOnPage: [
      clientIsKnown(
        oauthError('invalid_client', 'The client_id is unknown. Check that it is registered in the simulator.'),
      ),
      redirectUriIsRegistered(
        oauthError(
          'invalid_redirect_uri',
          'The redirect_uri is not registered for this client. It must match exactly.',
        ),
      ),
    ],
    errorPage: () => ({ heading: 'Invalid request' }),
    checksToClient: [
      parametersAreUnique((name) => `${name} is given more than once.`),
      parametersArePresent(['response_type', 'scope'], (name) => `${name} is missing.`),
      responseTypeIsCode,
      scopesAreKnown(scopes),
      parametersAreValid(
        {
          display: isOneOf('page', 'popup', 'touch', 'inapp'),
          max_age: matchesPattern(/^\d{1,9}$/),
          // It is not documented whether the real provider supports `plain`.
          ...s256Challenge,
          prompt: isPromptOf('none', 'login', 'consent', 'select_account'),
        },
        (name) => `${name} is invalid.`,
      ),
      signInIsAllowed,
    ],
    errorParameters: ({ error, description }) => ({
      error,
      error_description: description,
      error_code: String(errorCodes[error] ?? 0),
    }),
    shares: (scopes) => [
      'Your account ID',
      ...(scopes.includes('profile') ? ['Your name, nickname, picture, gender and year of birth'] : []),
      ...(scopes.includes('email') ? ['Your e-mail address'] : []),
      ...(scopes.includes('address') ? ['Your address, without the street'] : []),
    ],
    // The client gets a response only if it sent bail=1, and then without an error.
    denial: (request) => (request.get('bail') === '1' ? {} : undefined),
  },

  clientAuthentication: { methods: ['raw_basic', 'form'], unknownClient, wrongSecret: unknownClient },
  pkce: { defaultMethod: 'S256', missingVerifier: wrongVerifier, wrongVerifier },
  code: { bytes: 24 },
  accessToken: { bytes: 300 },
  refreshToken: {
    bytes: 48,
    onRefresh: 'omitted',
    invalid: oauthError('invalid_grant', 'The refresh token is unknown or has expired.'),
  },
  token: {
    path: '/token',
    tokenType: 'Bearer',
    errorFormat: numberedErrors,
    missing: (name) => oauthError('invalid_request', `${name} is required.`),
    unsupportedGrantType: oauthError(
      'unsupported_grant_type',
      'grant_type must be authorization_code or refresh_token.',
    ),
    invalidCode: oauthError('invalid_grant', 'The code is unknown, already used or has expired.'),
    redirectUriMismatch: oauthError('invalid_redirect_uri', 'redirect_uri differs from the authorization request.'),
  },

  sdk: { hasAccessToken: true, scopes },
  openid: {
    // It is not documented whether the real document contains PKCE methods; this one does not.
    metadata: {
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: scopes,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      display_values_supported: ['page', 'popup', 'touch'],
      claims_supported: [
        'sub',
        'name',
        'given_name',
        'family_name',
        'email',
        'email_verified',
        'gender',
        'birthdate',
        'zoneinfo',
        'locale',
        'address',
        'nickname',
        'picture',
        'iss',
        'aud',
        'exp',
        'iat',
      ],
    },
    keys: { path: '/jwks', alg: 'RS256', ids: () => [randomUUID(), randomUUID()], maxAgeSeconds: 3_600 },
    idToken: {
      alg: 'RS256',
      lifetimeSeconds: 3_600,
      header: { typ: 'JWT' },
      audience: 'list',
      hasAccessTokenHash: true,
      claims: (_, { auth_time }) => ({ auth_time, amr: ['pwd'] }),
      onRefresh: false,
    },
    // On a separate host at the real provider.
    userinfo: {
      path: '/attribute',
      claims: getClaims,
      errorFormat: bearerErrors,
      invalidToken: () => oauthError('invalid_token', 'The access token is missing, unknown or has expired.', 401),
      // The status for clients that are not approved is not documented.
      reject: (_, { userinfo_approved }) =>
        userinfo_approved
          ? undefined
          : oauthError('insufficient_scope', 'The application is not approved to read attributes.', 403),
    },
  },
}

function getClaims({ user }: Identity, { scopes }: Grant) {
  const { name, picture, email, email_verified } = user
  const { names, gender, birthdate, address } = derivePortalAccount(user)
  const profile = {
    name,
    ...names,
    gender,
    birthdate,
    nickname: name,
    picture,
    zoneinfo: 'Asia/Tokyo',
    locale: 'ja-JP',
  }
  return {
    ...(scopes.includes('profile') ? profile : {}),
    ...(scopes.includes('email') ? { email, email_verified } : {}),
    ...(scopes.includes('address') ? { address } : {}),
  }
}
