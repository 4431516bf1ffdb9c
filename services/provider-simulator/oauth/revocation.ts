import { type Context, readForm } from '#http'
import { authenticateRegisteredClient } from './client-authentication.ts'
import type { Dialect } from './dialect.ts'
import { findGrant } from './grants.ts'
import type { OAuthServer } from './server.ts'
import { requireParameter } from './token.ts'

/**
 * The revocation endpoint (RFC 7009). An unknown or invalid token is not an error.
 *
 * @throws SimulatedError of the dialect
 */
export async function revoke(
  ctx: Context,
  { parameter, authenticatesClient, ends, body }: NonNullable<Dialect['revocation']>,
  server: OAuthServer,
): Promise<void> {
  const { accessTokens, refreshTokens } = server.grants
  const form = await readForm(ctx.req)
  const client = authenticatesClient ? await authenticateRegisteredClient(ctx, form, server) : undefined
  const token = requireParameter(form.values, parameter, server)
  for (const tokens of ends === 'access_token' ? [accessTokens] : [accessTokens, refreshTokens]) {
    const grant = findGrant(tokens, token)
    if (grant === undefined || (client !== undefined && grant.client_id !== client.client_id)) continue
    if (ends === 'consent') grant.consent.withdrawn = true
    else tokens.take(token)
  }
  ctx.status = 200
  ctx.body = body
}
