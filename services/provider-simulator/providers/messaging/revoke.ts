import { type Context, readForm } from '#http'
import { authenticateClient, required } from './client.ts'
import type { Messaging } from './state.ts'

/**
 * `POST /oauth2/v2.1/revoke`: ends one access token, named `access_token` and not `token` as in RFC 7009. The person's consent
 * and the refresh token stay.
 */
export async function revoke(ctx: Context, messaging: Messaging): Promise<void> {
  const form = await readForm(ctx.req)
  const access_token = required(form.values, 'access_token')
  const client = authenticateClient(form, messaging)
  if (messaging.access_tokens.get(access_token)?.client_id === client.client_id) {
    messaging.access_tokens.take(access_token)
  }
  ctx.body = ''
}
