import { randomUUID } from 'node:crypto'
import { messagingPermissions } from '#contracts'
import {
  type Check,
  clientIsKnown,
  isOneOf,
  matchesPattern,
  parametersArePresent,
  parametersAreUnique,
  parametersAreValid,
  redirectUriIsRegistered,
  responseTypeIsCode,
  s256Challenge,
  scopesAreKnown,
  scopesFit,
  signInIsAllowed,
} from '../../oauth/checks.ts'
import type { Dialect } from '../../oauth/dialect.ts'
import { type ErrorFields, oauthError } from '../../oauth/errors.ts'
import type { Friends } from './friends.ts'
import { deriveProfilePlus, sharedPermissions } from './profile-plus.ts'
import { invalidAccessToken, lacksScope, messageErrors } from './resources.ts'

export const missing = (name: string): ErrorFields => oauthError('invalid_request', `${name} is required`)

/** The requested redirect URI may have further parameters after the registered one. */
function matchesRegistered(requested: string, registered: string): boolean {
  const longer = `${registered}${registered.includes('?') ? '&' : '?'}`
  return !requested.includes('#') && (requested === registered || requested.startsWith(longer))
}

/** How the real provider rejects a permission that it did not approve is not documented. */
const scopesAreApproved: Check = (request) =>
  scopesAreKnown(['openid', 'profile', 'email', ...(request.client?.permissions ?? [])])(request)

const officialAccountIsLinked: Check = ({ client, values }) =>
  values.has('bot_prompt') && !client?.official_account
    ? oauthError('invalid_request', 'bot_prompt needs an official account, and none is linked to this channel.')
    : undefined

/** The messaging provider: LINE Login v2.1 of a web channel. */
export const createMessagingDialect = (friends: Friends): Dialect => ({
  name: 'messaging',
  title: 'Messaging',
  summary:
    'ID Tokens are signed with the client secret (HS256, no key id) although discovery names ES256; redirects carry errors in upper case; the refresh token never changes.',
  middleware(ctx, next) {
    ctx.set('x-line-request-id', randomUUID())
    return next()
  },
  lifetimes: { code: 600, accessToken: 2_592_000, refreshToken: 90 * 86_400 },
  subject: ({ digest }) => `U${digest.slice(0, 32)}`,

  authorization: {
    path: '/oauth2/v2.1/authorize',
    checksOnPage: [
      clientIsKnown(
        oauthError('invalid_client', 'Invalid client_id value. Check that the channel is registered in the simulator.'),
      ),
      redirectUriIsRegistered(
        oauthError('invalid_request', 'Invalid redirect_uri value. Check that it is registered for this channel.'),
        matchesRegistered,
      ),
      officialAccountIsLinked,
    ],
    errorPage: () => ({ heading: '400 Bad Request' }),
    checksToClient: [
      parametersAreUnique((name) => `${name} is given more than once.`),
      parametersArePresent(['response_type', 'state', 'scope'], (name) => `${name} is required.`),
      responseTypeIsCode,
      scopesAreApproved,
      scopesFit(
        (scopes) => scopes.includes('openid') || scopes.includes('profile'),
        'scope must hold profile or openid.',
      ),
      scopesFit(
        (scopes) => scopes.includes('openid') || scopes.every((scope) => scope === 'profile'),
        'All scopes but profile need openid.',
      ),
      parametersAreValid(
        {
          ...s256Challenge,
          max_age: matchesPattern(/^\d*$/),
          bot_prompt: isOneOf('normal', 'aggressive'),
          response_mode: isOneOf('query'),
          prompt: isOneOf('consent', 'none', 'login'),
        },
        (name) => `${name} is invalid.`,
      ),
      signInIsAllowed,
    ],
    // In upper case here, but in lower case at the token endpoint.
    errorParameters: ({ error, description }) => ({ error: error.toUpperCase(), error_description: description }),
    shares: (scopes) => [
      'Your user ID',
      ...(scopes.includes('profile') ? ['Your name, picture and status message'] : []),
      ...(scopes.includes('email') ? ['Your e-mail address'] : []),
      ...messagingPermissions.filter((name) => scopes.includes(name)).map((name) => sharedPermissions[name]),
    ],
    // The real provider offers this on the consent screen (normal) or on a separate screen after it (aggressive).
    option: (_, request) => (request.has('bot_prompt') ? 'Add its official account as a friend' : undefined),
    onAllow({ client, sub, request, optionChosen }) {
      const isChanged = optionChosen && friends.change(client, sub, true).isChanged
      // Sent only when the option was shown: absent does not mean false.
      const friendshipStatusChanged = request.has('bot_prompt') ? String(isChanged) : undefined
      return { parameters: { friendship_status_changed: friendshipStatusChanged } }
    },
    denial: () => ({ error: 'ACCESS_DENIED', error_description: 'The user denied the request.' }),
  },

  clientAuthentication: {
    methods: ['form'],
    missing,
    unknownClient: oauthError('invalid_client', 'invalid client_id'),
    wrongSecret: oauthError('invalid_client', 'invalid client_secret'),
  },
  pkce: {
    defaultMethod: 'S256',
    missingVerifier: missing('code_verifier'),
    wrongVerifier: oauthError('invalid_grant', 'code_verifier does not match'),
  },
  code: { bytes: 15 },
  accessToken: { bytes: 48 },
  // Refreshing does not extend its lifetime.
  refreshToken: {
    bytes: 15,
    onRefresh: 'same',
    invalid: oauthError('invalid_grant', 'invalid refresh token'),
  },
  token: {
    path: '/oauth2/v2.1/token',
    tokenType: 'Bearer',
    scope: toShownScope,
    requiredForCode: ['redirect_uri', 'code'],
    missing,
    unsupportedGrantType: oauthError('unsupported_grant_type', 'invalid grant_type'),
    invalidCode: oauthError('invalid_grant', 'invalid authorization code'),
    redirectUriMismatch: oauthError('invalid_grant', 'redirect_uri does not match'),
  },
  // The parameter differs from `token` of RFC 7009. The consent and the refresh token stay valid.
  revocation: {
    path: '/oauth2/v2.1/revoke',
    parameter: 'access_token',
    authenticatesClient: true,
    ends: 'access_token',
    body: '',
  },

  sdk: { idToken: { alg: 'ES256' }, hasAccessToken: true, scopes: ['openid', 'profile', 'email'] },
  openid: {
    // Lists only ES256, the algorithm of native logins, so that clients that trust it reject every ID Token of a web
    // login. Several projects assume that the real document does so; it is not confirmed.
    metadata: {
      scopes_supported: ['openid', 'profile', 'email'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    },
    // The key of the SDK's ID Tokens.
    keys: { path: '/oauth2/v2.1/certs', alg: 'ES256', ids: () => [randomUUID()] },
    idToken: {
      alg: 'HS256',
      lifetimeSeconds: 3_600,
      header: { typ: 'JWT' },
      audience: 'text',
      hasAccessTokenHash: false,
      claims: ({ user }, { scopes, request, auth_time }) => ({
        ...(request.has('max_age') && { auth_time }),
        amr: ['pwd'],
        ...(scopes.includes('profile') && { name: user.name, picture: user.picture }),
        // This provider has no email_verified.
        ...(scopes.includes('email') && { email: user.email }),
        ...deriveProfilePlus(user, scopes),
      }),
      onRefresh: false,
    },
    userinfo: {
      path: '/oauth2/v2.1/userinfo',
      // Userinfo has no e-mail address.
      claims: ({ user: { name, picture } }, { scopes }) => (scopes.includes('profile') ? { name, picture } : {}),
      errorFormat: messageErrors,
      invalidToken: () => invalidAccessToken,
      reject: ({ scopes }) => lacksScope(scopes, 'openid'),
    },
  },
})

/** Granted scopes as the provider returns them: never `email`, even if it was granted. */
export function toShownScope(scopes: readonly string[]): string {
  return scopes.filter((scope) => scope !== 'email').join(' ')
}
