import {
  anyChallenge,
  clientIsKnown,
  matchesPattern,
  parametersArePresent,
  parametersAreUnique,
  parametersAreValid,
  redirectUriIsRegistered,
  responseTypeIsCode,
  scopesFit,
} from '../../oauth/checks.ts'
import type { Dialect } from '../../oauth/dialect.ts'
import { oauthError } from '../../oauth/errors.ts'
import { deriveMicroblogUserId } from './profile.ts'

const scopes = ['users.read', 'tweet.read', 'users.email', 'offline.access']

const invalidRequest = (description: string) => oauthError('invalid_request', description)

const invalidClient = oauthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
const invalidPkce = 'PKCE is mandatory: code_challenge or its method is missing or wrong.'
const wrongVerifier = invalidRequest('Value passed for the code verifier did not match the code challenge.')

/** The microblog provider: X. This is its OAuth 2.0; OAuth 1.0a is a protocol of its own, in `oauth1.ts`. */
export const microblogDialect: Dialect = {
  name: 'microblog',
  title: 'Microblog',
  summary:
    'OAuth 1.0a with verified signatures, tokens that do not expire and the parameter “denied” if the user denies; also OAuth 2.0 with mandatory PKCE, Basic authentication without encoding and refresh tokens that are replaced at every use.',
  // The lifetime of refresh tokens is our choice: it is not documented.
  lifetimes: { code: 30, accessToken: 7_200, refreshToken: 180 * 86_400 },
  subject: deriveMicroblogUserId,

  authorization: {
    path: '/i/oauth2/authorize',
    // It is not documented which of these errors the real provider sends to the client.
    checksOnPage: [
      parametersAreUnique((name) => `${name} is given more than once.`),
      clientIsKnown(invalidRequest('The client_id is unknown. Check that it is registered in the simulator.')),
      redirectUriIsRegistered(
        invalidRequest('The redirect_uri is not registered for this client. It must match exactly.'),
      ),
      responseTypeIsCode,
      scopesFit(
        (requested) => requested.length > 0 && requested.every((scope) => scopes.includes(scope)),
        'scope is invalid.',
      ),
      parametersArePresent(['state'], () => 'state is required and must have at most 500 characters.'),
      parametersAreValid(
        { state: matchesPattern(/^.{1,500}$/s) },
        () => 'state is required and must have at most 500 characters.',
      ),
      parametersArePresent(['code_challenge'], () => invalidPkce),
      parametersAreValid(anyChallenge, () => invalidPkce),
    ],
    errorPage: () => ({ heading: 'Something went wrong' }),
    shares: (scopes) => [
      'Your account ID, name and public profile, and your number of followers',
      ...(scopes.includes('users.email') ? ['Your e-mail address'] : []),
      ...(scopes.includes('offline.access') ? ['Access to this data while you are not using the application'] : []),
    ],
    onAllow: ({ scopes }) => ({ isRefreshable: scopes.includes('offline.access') }),
    denial: () => ({ error: 'access_denied' }),
    stateFirst: true,
  },

  clientAuthentication: {
    methods: ['raw_basic'],
    missing: () => oauthError('unauthorized_client', 'Missing valid authorization header', 401),
    unknownClient: invalidClient,
    wrongSecret: invalidClient,
  },
  pkce: { defaultMethod: 'plain', missingVerifier: wrongVerifier, wrongVerifier },
  code: { bytes: 60 },
  accessToken: { bytes: 68 },
  // It is not documented whether the earlier access token ends with the refresh token; here it does not.
  refreshToken: {
    bytes: 68,
    onRefresh: 'replaced',
    invalid: invalidRequest('Value passed for the token was invalid.'),
  },
  token: {
    path: '/2/oauth2/token',
    tokenType: 'bearer',
    scope: (scopes) => scopes.join(' '),
    missing: (name) => invalidRequest(`Missing required parameter [${name}].`),
    unsupportedGrantType: invalidRequest('Value passed for the grant_type was invalid.'),
    invalidCode: invalidRequest('Value passed for the authorization code was invalid.'),
    redirectUriMismatch: invalidRequest(
      'Value passed for the redirect uri did not match the uri of the authorization code.',
    ),
  },
  revocation: {
    path: '/2/oauth2/revoke',
    parameter: 'token',
    authenticatesClient: true,
    ends: 'token',
    body: { revoked: true },
  },
}
