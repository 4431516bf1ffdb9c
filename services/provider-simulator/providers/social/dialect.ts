import { randomUUID } from 'node:crypto'
import { type Check, clientIsKnown, isOneOf, parametersAreValid, redirectUriIsRegistered } from '../../oauth/checks.ts'
import type { AuthenticatedTokenRequest, Dialect } from '../../oauth/dialect.ts'
import { SimulatedError } from '../../oauth/errors.ts'
import { findLiveToken } from './access.ts'
import { graphError, graphErrors, graphFields } from './errors.ts'
import { deriveSocialUserId, permissionFields } from './user.ts'

const longTokenLifetime = 5_183_944

const permissionsAreKnown: Check = ({ scopes }) => {
  const unknown = scopes.filter((scope) => !Object.hasOwn(permissionFields, scope))
  return unknown.length === 0 ? undefined : graphFields(100, `Invalid scopes: ${unknown.join(', ')}.`)
}

const missing = (name: string) => graphFields(100, `Missing ${name} parameter.`)

/** The social-network provider: Facebook Login and the Graph API, which are two hosts at the real provider. */
export const socialDialect: Dialect = {
  name: 'social',
  title: 'Social',
  summary:
    'OAuth 2.0 and a Graph API with a version in its paths: no ID Token and no refresh token, errors that are objects, an e-mail address that can be declined, and a signed webhook when a user removes an application.',
  basePath: '/v26.0',
  // The lifetimes of codes and short-lived tokens are our choice: they are documented as short and as hours. Expired
  // tokens are stored for a while, because they have their own error.
  lifetimes: { code: 600, accessToken: 7_200, storedAccessToken: 2 * longTokenLifetime },
  subject: deriveSocialUserId,

  authorization: {
    path: '/dialog/oauth',
    // Separated by commas or spaces.
    readScopes: (scope) => [...new Set(['public_profile', ...scope.split(/[ ,]+/).filter((word) => word !== '')])],
    checksOnPage: [
      clientIsKnown(graphFields(101, 'Invalid App ID: the client_id is not registered in the simulator.')),
      redirectUriIsRegistered(
        graphFields(100, 'URL blocked: the redirect_uri is not registered for this client. It must match exactly.'),
      ),
      parametersAreValid({ response_type: isOneOf('code') }, (name) => `The ${name} must be code.`),
      permissionsAreKnown,
    ],
    errorPage: () => ({ heading: 'Invalid request' }),
    shares: (scopes) => scopes.map((scope) => shares[scope] ?? scope),
    option: (scopes) => (scopes.includes('email') ? 'Do not share my e-mail address' : undefined),
    onAllow({ scopes, request, consent: { granted, declined }, optionChosen }) {
      for (const scope of scopes) {
        if (declined.has(scope) && request.get('auth_type') !== 'rerequest') continue
        const [added, deleted] = scope === 'email' && optionChosen ? [declined, granted] : [granted, declined]
        added.add(scope)
        deleted.delete(scope)
      }
      return {}
    },
    denial: () => ({
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
    }),
    // Every redirect has it, so that scripts of the application do not find the fragment of an earlier page.
    fragment: '#_=_',
  },

  // The ID Tokens of Limited Login.
  sdk: {
    hasAccessToken: true,
    scopes: ['public_profile', 'email'],
    openid: {
      keys: { path: '/.well-known/oauth/openid/jwks', alg: 'RS256', ids: () => [randomUUID(), randomUUID()] },
      idToken: {
        alg: 'RS256',
        lifetimeSeconds: 3_600,
        header: { typ: 'JWT' },
        audience: 'text',
        hasAccessTokenHash: false,
        claims: ({ user: { name, given_name, family_name, picture, email } }) => ({
          jti: randomUUID(),
          name,
          given_name,
          family_name,
          picture,
          email,
        }),
        onRefresh: false,
      },
    },
  },

  clientAuthentication: {
    methods: ['form'],
    unknownClient: graphFields(101, 'Error validating application. Cannot get application info due to a system error.'),
    wrongSecret: graphFields(1, 'Error validating client secret.'),
  },
  code: { prefix: 'AQ', bytes: 150 },
  accessToken: { prefix: 'EAA', bytes: 150 },
  token: {
    path: '/oauth/access_token',
    methods: ['GET', 'POST'],
    tokenType: 'bearer',
    otherGrants: {
      fb_exchange_token: exchangeForLongToken,
      // The application's own token.
      client_credentials: ({ client: { client_id, client_secret } }) => ({
        access_token: `${client_id}|${client_secret}`,
        token_type: 'bearer',
      }),
    },
    errorFormat: graphErrors,
    missing,
    invalidCode: graphFields(100, 'This authorization code has been used, has expired or is not yours.', {
      subcode: 36009,
    }),
    redirectUriMismatch: graphFields(
      100,
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
      { subcode: 36008 },
    ),
  },
}

/** Exchanges a valid token for one that expires in about 60 days. */
function exchangeForLongToken({ values, client, grants, issueAccessToken }: AuthenticatedTokenRequest): object {
  const token = values.get('fb_exchange_token')
  if (token === undefined) throw new SimulatedError(missing('fb_exchange_token'))
  const { grant } = findLiveToken(token, grants)
  if (grant.client_id !== client.client_id) {
    throw graphError(190, 'Error validating access token: the token belongs to another application.')
  }
  return issueAccessToken(grant, longTokenLifetime)
}

const shares: Readonly<Record<string, string>> = {
  public_profile: 'Your name and profile picture',
  email: 'Your e-mail address',
  user_age_range: 'Your age range',
  user_birthday: 'Your birthday',
  user_gender: 'Your gender',
  user_hometown: 'Your home town',
  user_link: 'The address of your profile',
  user_location: 'Where you live',
}
