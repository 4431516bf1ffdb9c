import type { Context } from '#http'
import { applyUserinfoScenario } from '../scenarios/id-tokens.ts'
import type { OpenIdProvider } from './dialect.ts'
import { SimulatedError } from './errors.ts'
import { findGrant } from './grants.ts'
import { identify, type OAuthServer } from './server.ts'

/**
 * The userinfo endpoint (OpenID Connect Core 5.3). The access token is read from the header only.
 *
 * @throws SimulatedError of the dialect
 */
export function showUserinfo(
  ctx: Context,
  { claims, invalidToken, reject }: NonNullable<OpenIdProvider['userinfo']>,
  server: OAuthServer,
): void {
  const { dialect, grants, issuer, scenarios } = server
  const grant = findGrant(grants.accessTokens, readBearerToken(ctx))
  if (grant === undefined) throw new SimulatedError(invalidToken(issuer))
  const identity = identify(grant, server)
  const rejection = reject?.(grant, identity.client)
  if (rejection !== undefined) throw new SimulatedError(rejection)
  ctx.body = applyUserinfoScenario(
    { sub: identity.sub, ...claims(identity, grant) },
    scenarios.activeFor(dialect.name, grant.name),
  )
}

/** The token of `Authorization: Bearer` (RFC 6750 2.1). */
export function readBearerToken(ctx: Context): string | undefined {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(ctx.get('Authorization'))?.[1]
}
