import { randomUUID } from 'node:crypto'
import type { CatalogEntry } from '#catalog'
import { clientIsKnown, parametersArePresent, redirectUriIsRegistered, responseTypeIsCode } from '../../oauth/checks.ts'
import type { Dialect, OpenIdProvider } from '../../oauth/dialect.ts'
import { oauthError } from '../../oauth/errors.ts'
import { describeUser } from './claims.ts'

/** What stands for claims in the issuers of the simulator. */
export const simulatedTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** Where the simulator plays an address of a described provider, below the provider's name: host and path. */
export function toSimulatedPath(address: string): string {
  const { host, pathname } = new URL(address)
  return `/${host}${decodeURI(pathname)}`
}

type Protocol = CatalogEntry['definition']['protocol']
type OidcProtocol = Extract<Protocol, { readonly type: 'oidc' }>

/** The addresses of an OpenID Provider: those of its definition, and the others below its issuer. */
function listOidcAddresses({ issuer, endpoints }: OidcProtocol) {
  const base = issuer.replace(/\/$/, '').replace(/\{\w+\}/, 'common')
  const { authorization, token, userinfo, jwks, revocation } = endpoints
  return {
    authorization: authorization ?? `${base}/authorize`,
    token: token ?? `${base}/token`,
    userinfo: userinfo ?? `${base}/userinfo`,
    jwks: jwks ?? `${base}/keys`,
    revocation,
  }
}

/** The dialect of a provider that the catalog describes: what its definition says, and the standards for the rest. */
export function toDialect(entry: CatalogEntry, url: string): Dialect {
  const { name, definition, quirks } = entry
  const { protocol } = definition
  const { authorization, token, revocation } =
    protocol.type === 'oidc' ? listOidcAddresses(protocol) : protocol.endpoints
  const separator = protocol.type === 'oauth2' ? protocol.scope_separator : ' '
  const isForm = protocol.client_authentication === 'client_secret_post'
  return {
    name,
    title: definition.display_name.en,
    summary: quirks[0] ?? 'Follows the standards.',
    lifetimes: { code: 600, accessToken: 3_600, refreshToken: 30 * 86_400 },
    subject: ({ digest }) => digest.slice(0, 32),
    ...(protocol.type === 'oauth2' && { clientParameters: protocol.client_parameters }),
    authorization: {
      path: toSimulatedPath(authorization),
      readScopes: (scope) => [...new Set(scope.split(separator).filter((word) => word !== ''))],
      checksOnPage: [
        clientIsKnown(oauthError('invalid_client', 'The client is not registered in the simulator.')),
        redirectUriIsRegistered(oauthError('invalid_request', 'The redirect_uri is not registered for this client.')),
      ],
      checksToClient: [
        parametersArePresent(['response_type'], (missing) => `${missing} is missing.`),
        responseTypeIsCode,
      ],
      errorPage: ({ error }) => ({ heading: `Error: ${error}` }),
      shares: (scopes) => scopes,
      denial: () => ({ error: 'access_denied', error_description: 'The user denied the request.' }),
      hasResponseModes: protocol.type === 'oidc',
    },
    clientAuthentication: {
      methods: [isForm ? 'form' : 'basic'],
      unknownClient: oauthError('invalid_client', 'The client is not known.', 401),
      wrongSecret: oauthError('invalid_client', 'The client secret is wrong.', 401),
    },
    ...(protocol.pkce && {
      pkce: {
        defaultMethod: 'plain',
        missingVerifier: oauthError('invalid_grant', 'code_verifier is missing.'),
        wrongVerifier: oauthError('invalid_grant', 'code_verifier does not match.'),
      },
    }),
    code: {},
    accessToken: {},
    refreshToken: { onRefresh: 'same', invalid: oauthError('invalid_grant', 'The refresh token is not valid.') },
    token: {
      path: toSimulatedPath(token),
      methods: [protocol.type === 'oauth2' ? protocol.token_method : 'POST'],
      tokenType: 'bearer',
      missing: (missing) => oauthError('invalid_request', `${missing} is missing.`),
      unsupportedGrantType: oauthError('unsupported_grant_type', 'The grant type is not supported.'),
      invalidCode: oauthError('invalid_grant', 'The code is not valid.'),
      redirectUriMismatch: oauthError('invalid_grant', 'The redirect_uri is another one.'),
    },
    ...(revocation !== undefined && {
      revocation: {
        path: toSimulatedPath(revocation),
        parameter: 'token',
        authenticatesClient: true,
        ends: 'token',
        body: '',
      },
    }),
    ...(protocol.type === 'oidc' && {
      issuer: `${url}/${name}/${protocol.issuer.slice('https://'.length).replace(/\{\w+\}/, simulatedTenant)}`,
      openid: describeOpenId(entry, protocol),
    }),
  }
}

function describeOpenId(entry: CatalogEntry, protocol: OidcProtocol): OpenIdProvider {
  const { authorization, token, userinfo, jwks, revocation } = listOidcAddresses(protocol)
  const [, tenantClaim] = /\{(\w+)\}/.exec(protocol.issuer) ?? []
  const claimsOf: NonNullable<OpenIdProvider['userinfo']>['claims'] = (identity) => describeUser(entry, identity).user
  return {
    // The real addresses, as the provider's own document has them.
    metadata: {
      issuer: protocol.issuer,
      authorization_endpoint: authorization,
      token_endpoint: token,
      userinfo_endpoint: userinfo,
      jwks_uri: jwks,
      revocation_endpoint: revocation,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: [protocol.id_token_alg],
      token_endpoint_auth_methods_supported: [protocol.client_authentication],
    },
    keys: { path: toSimulatedPath(jwks), alg: 'RS256', ids: () => [randomUUID()] },
    idToken: {
      alg: 'RS256',
      lifetimeSeconds: 3_600,
      header: {},
      audience: 'text',
      hasAccessTokenHash: true,
      claims: (identity) => {
        // The server sets those of the protocol.
        const { sub: _, iss: __, aud: ___, exp: ____, iat: _____, ...claims } = describeUser(entry, identity).user
        return { ...claims, ...(tenantClaim !== undefined && { [tenantClaim]: simulatedTenant }) }
      },
      onRefresh: true,
    },
    userinfo: {
      path: toSimulatedPath(userinfo),
      claims: claimsOf,
      invalidToken: () => ({ ...oauthError('invalid_token', 'The access token is not valid.', 401) }),
    },
  }
}
