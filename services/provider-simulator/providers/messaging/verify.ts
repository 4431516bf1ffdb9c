import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import { type Context, readForm, readParameters } from '#http'
import { OAuthError } from '../../oauth.ts'
import { required } from './client.ts'
import { signingKey } from './id-token.ts'
import { grantOf, type Messaging } from './state.ts'
import { shownScope } from './token.ts'

/** `GET /oauth2/v2.1/verify?access_token=…` */
export function verifyAccessToken(ctx: Context, { access_tokens }: Messaging): void {
  const access_token = required(readParameters(ctx.querystring).values, 'access_token')
  const grant = grantOf(access_tokens, access_token)
  if (grant === undefined) throw new OAuthError('invalid_request', 'access token expired')
  ctx.body = {
    scope: shownScope(grant),
    client_id: grant.client_id,
    expires_in: access_tokens.secondsLeft(access_token),
  }
}

/** `POST /oauth2/v2.1/verify` with `id_token`, `client_id` and optionally `nonce`, `user_id`: answers the token's claims. */
export async function verifyIdToken(ctx: Context, messaging: Messaging): Promise<void> {
  const { values } = await readForm(ctx.req)
  const id_token = required(values, 'id_token')
  const client_id = required(values, 'client_id')
  const claims = await verified(id_token, messaging)
  const [nonce, user_id] = [values.get('nonce'), values.get('user_id')]
  if (claims.aud !== client_id) throw invalid('Invalid IdToken Audience.')
  if (nonce !== undefined && claims.nonce !== nonce) throw invalid('Invalid IdToken Nonce.')
  if (user_id !== undefined && claims.sub !== user_id) throw invalid('Invalid IdToken Subject Identifier.')
  ctx.body = claims
}

/** Verified with the secret of the client the token was made for. */
async function verified(id_token: string, { issuer, clients }: Messaging): Promise<JWTPayload> {
  try {
    const { aud } = decodeJwt(id_token)
    const client = clients.find('messaging', typeof aud === 'string' ? aud : undefined)
    if (client === undefined) throw invalid('Invalid IdToken.')
    const { payload } = await jwtVerify(id_token, signingKey(client), { algorithms: ['HS256'] })
    if (payload.iss !== issuer) throw invalid('Invalid IdToken Issuer.')
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalid('IdToken expired.')
    if (error instanceof errors.JOSEError) throw invalid('Invalid IdToken.')
    throw error
  }
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_request', description)
}
