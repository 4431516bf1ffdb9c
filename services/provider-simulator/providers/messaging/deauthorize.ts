import { type Context, readForm, readJson } from '#http'
import { newToken } from '#runtime'
import { bearerToken, OAuthError } from '../../oauth.ts'
import { authenticateClient, required } from './client.ts'
import { ResourceError } from './resources.ts'
import { grantOf, lives, type Messaging } from './state.ts'

/** `POST /oauth2/v3/token`: a stateless token with which the channel speaks for itself. It cannot be revoked. */
export async function issueChannelToken(ctx: Context, messaging: Messaging): Promise<void> {
  const form = await readForm(ctx.req)
  const grant_type = required(form.values, 'grant_type')
  const { client_id } = authenticateClient(form, messaging)
  if (grant_type !== 'client_credentials') throw new OAuthError('unsupported_grant_type', 'invalid grant_type')
  const access_token = newToken('', 48)
  messaging.channel_tokens.set(access_token, client_id)
  ctx.body = { token_type: 'Bearer', access_token, expires_in: lives.channel_token_seconds }
}

/**
 * `POST /user/v1/deauthorize`: withdraws the person's consent to the channel of the bearer token, and with it every token. Of
 * the refusals only 400 `invalid token` is from the field.
 */
export async function deauthorize(ctx: Context, messaging: Messaging): Promise<void> {
  const client_id = messaging.channel_tokens.get(bearerToken(ctx))
  if (client_id === undefined) throw new ResourceError(401, 'invalid channel access token')
  const body = await readJson(ctx.req)
  const token: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'userAccessToken') : undefined
  const grant = typeof token === 'string' ? grantOf(messaging.access_tokens, token) : undefined
  if (grant?.client_id !== client_id) throw new ResourceError(400, 'invalid token')
  grant.consent.withdrawn = true
  ctx.status = 204
}
