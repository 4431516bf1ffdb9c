import {
  anyChallenge,
  clientIsKnown,
  matching,
  parametersArePresent,
  parametersAreUnique,
  parametersAreValid,
  redirectUriIsRegistered,
  responseTypeIsCode,
  scopesFit,
} from '../../oauth/checks.ts'
import type { Dialect } from '../../oauth/dialect.ts'
import { oauthError } from '../../oauth/errors.ts'
import { userIdOf } from './profile.ts'

const scopes = ['users.read', 'tweet.read', 'users.email', 'offline.access']

const invalidRequest = (description: string) => oauthError('invalid_request', description)

const invalidClient = oauthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
const invalidPkce = 'PKCE is mandatory: code_challenge or its method is missing or wrong.'
const wrongVerifier = invalidRequest('Value passed for the code verifier did not match the code challenge.')

/** The microblog provider: X. This is its OAuth 2.0; OAuth 1.0a is a protocol of its own, in `oauth1.ts`. */
export const microblog: Dialect = {
  name: 'microblog',
  title: 'Microblog',
  summary:
    'OAuth 1.0a with signatures that are checked, tokens without end and “denied” for a person who denies; besides, OAuth 2.0 with mandatory PKCE, Basic authentication without encoding and refresh tokens that are replaced at every use.',
  // The life of a refresh token is our choice: it is not documented.
  lifetimes: { code: 30, accessToken: 7_200, refreshToken: 180 * 86_400 },
  subject: userIdOf,

  authorization: {
    path: '/i/oauth2/authorize',
    // Which of these errors the real provider sends to the client is not documented.
    checksOnPage: [
      parametersAreUnique((name) => `${name} is given more than once.`),
      clientIsKnown(invalidRequest('The client_id is not known. Check that it is registered here.')),
      redirectUriIsRegistered(
        invalidRequest('The redirect_uri is not registered for this client. It must match to the letter.'),
      ),
      responseTypeIsCode,
      scopesFit(
        (requested) => requested.length > 0 && requested.every((scope) => scopes.includes(scope)),
        'scope is invalid.',
      ),
      parametersArePresent(['state'], () => 'state must be given, of at most 500 characters.'),
      parametersAreValid({ state: matching(/^.{1,500}$/s) }, () => 'state must be given, of at most 500 characters.'),
      parametersArePresent(['code_challenge'], () => invalidPkce),
      parametersAreValid(anyChallenge, () => invalidPkce),
    ],
    errorPage: () => ({ heading: 'Something went wrong' }),
    shares: (scopes) => [
      'Your account id, name and public profile, and how many follow you',
      ...(scopes.includes('users.email') ? ['Your e-mail address'] : []),
      ...(scopes.includes('offline.access') ? ['All this also while you are away'] : []),
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
  // Whether the earlier access token ends with the refresh token is not documented, so it does not.
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
