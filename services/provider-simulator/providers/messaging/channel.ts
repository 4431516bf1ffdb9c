import { z } from 'zod'
import { type Context, readForm } from '#http'
import { newToken } from '#runtime'
import type { ExpiringMap } from '../../expiring-map.ts'
import { readJsonInput } from '../../json-input.ts'
import { authenticateRegisteredClient } from '../../oauth/client-authentication.ts'
import { oauthError, SimulatedError } from '../../oauth/errors.ts'
import { findGrant } from '../../oauth/grants.ts'
import type { OAuthServer } from '../../oauth/server.ts'
import { requireParameter } from '../../oauth/token.ts'
import { readBearerToken } from '../../oauth/userinfo.ts'

/** In seconds. */
export const channelTokenLifetime = 900

/** `POST /oauth2/v3/token`: issues a stateless token of the channel itself. It cannot be revoked. */
export async function issueChannelToken(
  ctx: Context,
  channelTokens: ExpiringMap<string>,
  server: OAuthServer,
): Promise<void> {
  const form = await readForm(ctx.req)
  const grantType = requireParameter(form.values, 'grant_type', server)
  const { client_id } = await authenticateRegisteredClient(ctx, form, server)
  if (grantType !== 'client_credentials') {
    throw new SimulatedError(oauthError('unsupported_grant_type', 'invalid grant_type'))
  }
  const accessToken = newToken('', 48)
  channelTokens.set(accessToken, client_id)
  ctx.body = { token_type: 'Bearer', access_token: accessToken, expires_in: channelTokenLifetime }
}

const DeauthorizeInput = z.object({ userAccessToken: z.string() })

/**
 * `POST /user/v1/deauthorize`: withdraws the end user's consent to the channel of the bearer token, with all tokens. Of
 * the errors, only 400 `invalid token` was observed at the real provider.
 */
export async function handleDeauthorize(
  ctx: Context,
  channelTokens: ExpiringMap<string>,
  server: OAuthServer,
): Promise<void> {
  const clientId = channelTokens.get(readBearerToken(ctx))
  if (clientId === undefined) {
    throw new SimulatedError(oauthError('invalid_token', 'invalid channel access token', 401))
  }
  const input = await readJsonInput(ctx, DeauthorizeInput)
  const grant = 'data' in input ? findGrant(server.grants.accessTokens, input.data.userAccessToken) : undefined
  if (grant?.client_id !== clientId) {
    throw new SimulatedError(oauthError('invalid_token', 'invalid token'))
  }
  grant.consent.withdrawn = true
  ctx.status = 204
}
