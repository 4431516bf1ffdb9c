import { randomBytes } from 'node:crypto'
import {
  anyChallenge,
  clientIsKnown,
  isOneOf,
  isPromptOf,
  parametersArePresent,
  parametersAreUnique,
  parametersAreValid,
  redirectUriIsRegistered,
  responseTypeIsCode,
  scopesAreKnown,
  scopesFit,
  signInIsAllowed,
  splitWords,
} from '../oauth/checks.ts'
import type { Dialect, Identity } from '../oauth/dialect.ts'
import { oauthError } from '../oauth/errors.ts'
import type { Grant } from '../oauth/grants.ts'

const longForms: Readonly<Record<string, string>> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
}
const shortForms = new Map(Object.entries(longForms).map(([short, long]) => [long, short]))

/** The token endpoint returns long forms only. */
const inLongForm = (scopes: readonly string[]) => scopes.map((scope) => longForms[scope] ?? scope).join(' ')

/** The search-engine provider: Google's OpenID Connect. */
export const searchDialect: Dialect = {
  name: 'search',
  title: 'Search',
  summary:
    'Textbook OpenID Connect (RS256, several keys) with the issuer in every redirect; a refresh token comes only with offline access and consent.',
  lifetimes: { code: 600, accessToken: 3_600, refreshToken: 180 * 86_400 },
  // 21 decimal digits.
  subject: ({ digest }) => String(10n ** 20n + (BigInt(`0x${digest.slice(0, 32)}`) % (9n * 10n ** 20n))),

  authorization: {
    path: '/o/oauth2/v2/auth',
    // `email` and `profile` may also be requested in their long forms.
    readScopes: (scope) => [...new Set(splitWords(scope).map((word) => shortForms.get(word) ?? word))],
    checksOnPage: [
      clientIsKnown(
        oauthError('invalid_client', 'The OAuth client was not found. Check that it is registered here.', 401),
      ),
      redirectUriIsRegistered(
        oauthError(
          'redirect_uri_mismatch',
          'The redirect_uri is not registered for this client. It must match exactly.',
        ),
      ),
    ],
    errorPage: ({ status = 400, error }) => ({ heading: `Error ${status}: ${error}` }),
    // It is not documented which of these the real provider shows on its own page.
    checksToClient: [
      parametersAreUnique((name) => `Parameter given more than once: ${name}.`),
      parametersArePresent(['response_type', 'scope'], (name) => `Missing required parameter: ${name}.`),
      responseTypeIsCode,
      scopesAreKnown(['openid', 'email', 'profile']),
      scopesFit(
        (scopes) => scopes.includes('openid') && scopes.length > 1,
        'scope must hold openid and email or profile.',
      ),
      parametersAreValid(
        {
          access_type: isOneOf('online', 'offline'),
          ...anyChallenge,
          prompt: isPromptOf('none', 'consent', 'select_account'),
        },
        (name) => `Invalid parameter value for ${name}.`,
      ),
      signInIsAllowed,
    ],
    shares: (scopes, request) => [
      'Your account id',
      ...(scopes.includes('profile') ? ['Your name and picture'] : []),
      ...(scopes.includes('email') ? ['Your e-mail address'] : []),
      ...(request.get('access_type') === 'offline'
        ? ['Access to this data while you are not using the application']
        : []),
    ],
    onAllow({ scopes, request, consent, isFirst }) {
      const isOffline = request.get('access_type') === 'offline'
      const isAsked = splitWords(request.get('prompt')).includes('consent')
      const isRefreshable = isOffline && (isAsked || !consent.granted.has('offline'))
      if (isOffline) consent.granted.add('offline')
      const bothForms = [...scopes.filter((scope) => scope in longForms), inLongForm(scopes)].join(' ')
      const prompt = isFirst || isAsked || isRefreshable ? 'consent' : 'none'
      return { isRefreshable, parameters: { scope: bothForms, authuser: '0', prompt } }
    },
    denial: () => ({ error: 'access_denied' }),
    stateFirst: true,
    sendsIssuer: true,
  },

  clientAuthentication: {
    methods: ['basic', 'form'],
    unknownClient: oauthError('invalid_client', 'The OAuth client was not found.', 401),
    wrongSecret: oauthError('invalid_client', 'The provided client secret is invalid.', 401),
  },
  pkce: {
    defaultMethod: 'plain',
    missingVerifier: oauthError('invalid_grant', 'Missing code verifier.'),
    wrongVerifier: oauthError('invalid_grant', 'Invalid code verifier.'),
  },
  // Contains a slash, as at the real provider.
  code: { prefix: '4/0A' },
  accessToken: { prefix: 'ya29.', bytes: 100 },
  refreshToken: {
    prefix: '1//0',
    onRefresh: 'omitted',
    invalid: oauthError('invalid_grant', 'Token has been expired or revoked.'),
  },
  token: {
    path: '/token',
    tokenType: 'Bearer',
    scope: inLongForm,
    elapsedSeconds: 1,
    missing: (name) => oauthError('invalid_request', `Missing required parameter: ${name}`),
    unsupportedGrantType: oauthError('unsupported_grant_type', 'Invalid grant_type.'),
    invalidCode: oauthError('invalid_grant', 'Malformed auth code.'),
    redirectUriMismatch: oauthError('redirect_uri_mismatch', 'Bad Request'),
  },
  revocation: { path: '/revoke', parameter: 'token', authenticatesClient: false, ends: 'consent', body: {} },

  sdk: { hasAccessToken: true, scopes: ['openid', 'email', 'profile'] },
  openid: {
    metadata: {
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      claims_supported: [
        'aud',
        'email',
        'email_verified',
        'exp',
        'family_name',
        'given_name',
        'iat',
        'iss',
        'name',
        'picture',
        'sub',
      ],
      code_challenge_methods_supported: ['plain', 'S256'],
      authorization_response_iss_parameter_supported: true,
    },
    keys: {
      path: '/oauth2/v3/certs',
      alg: 'RS256',
      ids: () => [randomBytes(20).toString('hex'), randomBytes(20).toString('hex')],
    },
    idToken: {
      alg: 'RS256',
      lifetimeSeconds: 3_600,
      header: { typ: 'JWT' },
      audience: 'text',
      hasAccessTokenHash: true,
      claims: (identity, grant) => ({ azp: grant.client_id, ...getClaims(identity, grant) }),
      onRefresh: true,
    },
    userinfo: {
      path: '/v1/userinfo',
      claims: getClaims,
      invalidToken: (issuer) => ({
        status: 401,
        error: 'invalid_request',
        description: 'Invalid Credentials',
        challenge: `Bearer realm="${issuer}", error="invalid_token"`,
      }),
    },
  },
}

function getClaims({ user }: Identity, { scopes }: Grant) {
  const { name, given_name, family_name, picture, email, email_verified } = user
  return {
    ...(scopes.includes('profile') ? { name, given_name, family_name, picture } : {}),
    ...(scopes.includes('email') ? { email, email_verified } : {}),
  }
}
