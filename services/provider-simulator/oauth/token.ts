import { createHash } from 'node:crypto'
import { type Context, readForm, readParameters } from '#http'
import { newToken } from '#runtime'
import { authenticateRegisteredClient } from './client-authentication.ts'
import type { AuthenticatedTokenRequest, RefreshToken } from './dialect.ts'
import { SimulatedError } from './errors.ts'
import { findGrant, type Grant } from './grants.ts'
import { issueIdToken } from './id-token.ts'
import type { OAuthServer } from './server.ts'

/**
 * The token endpoint (RFC 6749 3.2): exchanges a code or refreshes tokens.
 *
 * @throws SimulatedError of the dialect
 */
export async function issueTokens(ctx: Context, server: OAuthServer): Promise<void> {
  const { refreshToken, token } = server.dialect
  const { otherGrants = {}, unsupportedGrantType } = token
  const parameters = ctx.method === 'POST' ? await readForm(ctx.req) : readParameters(ctx.querystring)
  const client = await authenticateRegisteredClient(ctx, parameters, server)
  const { values } = parameters
  const request: AuthenticatedTokenRequest = {
    values,
    client,
    grants: server.grants,
    issueAccessToken: (grant, lifetimeSeconds) => issueAccessToken(grant, server, lifetimeSeconds),
  }
  const grantType = unsupportedGrantType ? requireParameter(values, 'grant_type', server) : values.get('grant_type')
  const other = Object.entries(otherGrants).find(([name]) => name === grantType)?.[1]
  if (other !== undefined) ctx.body = other(request)
  else if (grantType === 'refresh_token' && refreshToken) ctx.body = await refresh(request, refreshToken, server)
  else if (grantType === 'authorization_code' || !unsupportedGrantType) ctx.body = await exchangeCode(request, server)
  else throw new SimulatedError(unsupportedGrantType)
}

/**
 * The value of a parameter.
 *
 * @throws SimulatedError of the dialect if it is absent
 */
export function requireParameter(values: ReadonlyMap<string, string>, name: string, { dialect }: OAuthServer): string {
  const value = values.get(name)
  if (value === undefined) throw new SimulatedError(dialect.token.missing(name))
  return value
}

/** RFC 6749 4.1.3 */
async function exchangeCode({ values, client }: AuthenticatedTokenRequest, server: OAuthServer): Promise<object> {
  const { dialect, grants } = server
  const { requiredForCode = ['code'], invalidCode, redirectUriMismatch } = dialect.token
  for (const name of requiredForCode) requireParameter(values, name, server)
  const grant = grants.codes.take(values.get('code'))
  if (grant === undefined || grant.client_id !== client.client_id || !grants.consents.isCurrent(grant.consent)) {
    throw new SimulatedError(invalidCode)
  }
  if (values.get('redirect_uri') !== grant.redirect_uri) throw new SimulatedError(redirectUriMismatch)
  checkVerifier(values.get('code_verifier'), grant, server)

  const nextRefreshToken = grant.isRefreshable ? issueRefreshToken(grant, server) : undefined
  const idToken = grant.scopes.includes('openid') ? { nonce: grant.request.get('nonce') } : undefined
  return issueTokenResponse(grant, { refresh_token: nextRefreshToken, id_token: idToken }, server)
}

/** RFC 7636 4.6 */
function checkVerifier(verifier: string | undefined, { request }: Grant, { dialect: { pkce } }: OAuthServer): void {
  const challenge = request.get('code_challenge')
  if (pkce === undefined || challenge === undefined) return
  if (verifier === undefined) throw new SimulatedError(pkce.missingVerifier)
  const method = request.get('code_challenge_method') ?? pkce.defaultMethod
  const expected = method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  if (challenge !== expected) throw new SimulatedError(pkce.wrongVerifier)
}

/** RFC 6749 6 */
async function refresh(
  { values, client, grants }: AuthenticatedTokenRequest,
  { onRefresh, invalid }: RefreshToken,
  server: OAuthServer,
): Promise<object> {
  const token = requireParameter(values, 'refresh_token', server)
  const grant = findGrant(grants.refreshTokens, token)
  if (grant === undefined || grant.client_id !== client.client_id) throw new SimulatedError(invalid)
  let refreshToken: string | undefined
  if (onRefresh === 'same') refreshToken = token
  else if (onRefresh === 'replaced') {
    grants.refreshTokens.take(token)
    refreshToken = issueRefreshToken(grant, server)
  }
  // A refreshed ID Token has no nonce (OpenID Connect Core 12.2).
  const idToken = server.openid?.idToken.onRefresh ? { nonce: undefined } : undefined
  return issueTokenResponse(grant, { refresh_token: refreshToken, id_token: idToken }, server)
}

interface AdditionalTokens {
  readonly refresh_token: string | undefined
  /** Undefined for a response without ID Token. */
  readonly id_token: { readonly nonce: string | undefined } | undefined
}

async function issueTokenResponse(
  grant: Grant,
  { refresh_token, id_token }: AdditionalTokens,
  server: OAuthServer,
): Promise<object> {
  const response = issueAccessToken(grant, server)
  const { access_token } = response
  return {
    ...response,
    refresh_token,
    id_token: server.openid && id_token ? await issueIdToken(grant, { ...id_token, access_token }, server) : undefined,
  }
}

/** Issues an access token with the fields of a token response. */
export function issueAccessToken(grant: Grant, { dialect, grants }: OAuthServer, lifetimeSeconds?: number) {
  const { tokenType, scope, elapsedSeconds = 0 } = dialect.token
  const accessToken = newToken(dialect.accessToken.prefix, dialect.accessToken.bytes)
  grants.accessTokens.set(accessToken, grant, lifetimeSeconds)
  const seconds = Math.max(0, grants.accessTokens.secondsLeft(accessToken) - elapsedSeconds)
  const expiresIn = Number.isFinite(seconds) ? seconds : undefined
  return { access_token: accessToken, token_type: tokenType, expires_in: expiresIn, scope: scope?.(grant.scopes) }
}

export function issueRefreshToken(grant: Grant, { dialect, grants }: OAuthServer): string {
  const token = newToken(dialect.refreshToken?.prefix, dialect.refreshToken?.bytes)
  grants.refreshTokens.set(token, grant)
  return token
}
