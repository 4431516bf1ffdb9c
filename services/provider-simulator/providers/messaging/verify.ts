import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import { type Context, readForm, readParameters } from '#http'
import { SimulatedError } from '../../oauth/errors.ts'
import { findGrant } from '../../oauth/grants.ts'
import { toHmacKey } from '../../oauth/id-token.ts'
import type { OAuthServer } from '../../oauth/server.ts'
import { requireParameter } from '../../oauth/token.ts'
import { simulatedClock } from '../../simulated-clock.ts'
import { toShownScope } from './dialect.ts'

/** `GET /oauth2/v2.1/verify?access_token=…` */
export function verifyAccessToken(ctx: Context, server: OAuthServer): void {
  const { accessTokens } = server.grants
  const accessToken = requireParameter(readParameters(ctx.querystring).values, 'access_token', server)
  const grant = findGrant(accessTokens, accessToken)
  if (grant === undefined) throw createInvalidRequest('access token expired')
  const { client_id, scopes } = grant
  ctx.body = { scope: toShownScope(scopes), client_id, expires_in: accessTokens.secondsLeft(accessToken) }
}

/** `POST /oauth2/v2.1/verify` with `id_token`, `client_id` and optionally `nonce`, `user_id`: responds with the claims. */
export async function verifyIdToken(ctx: Context, server: OAuthServer): Promise<void> {
  const { values } = await readForm(ctx.req)
  const idToken = requireParameter(values, 'id_token', server)
  const clientId = requireParameter(values, 'client_id', server)
  const claims = await verify(idToken, server)
  const [nonce, userId] = [values.get('nonce'), values.get('user_id')]
  if (claims.aud !== clientId) throw createInvalidRequest('Invalid IdToken Audience.')
  if (nonce !== undefined && claims.nonce !== nonce) throw createInvalidRequest('Invalid IdToken Nonce.')
  if (userId !== undefined && claims.sub !== userId) throw createInvalidRequest('Invalid IdToken Subject Identifier.')
  ctx.body = claims
}

/** Verifies with the secret of the client that the ID Token was issued for. */
async function verify(idToken: string, { issuer, clients }: OAuthServer): Promise<JWTPayload> {
  try {
    const { aud } = decodeJwt(idToken)
    const client = clients.find('messaging', typeof aud === 'string' ? aud : undefined)
    if (client === undefined) throw createInvalidRequest('Invalid IdToken.')
    const { payload } = await jwtVerify(idToken, toHmacKey(client.client_secret), {
      algorithms: ['HS256'],
      currentDate: new Date(simulatedClock.now()),
    })
    if (payload.iss !== issuer) throw createInvalidRequest('Invalid IdToken Issuer.')
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw createInvalidRequest('IdToken expired.')
    if (error instanceof errors.JOSEError) throw createInvalidRequest('Invalid IdToken.')
    throw error
  }
}

function createInvalidRequest(description: string): SimulatedError {
  return new SimulatedError({ error: 'invalid_request', description })
}
