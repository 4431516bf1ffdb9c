import { type Context, readForm } from '#http'
import { authenticateClient, required } from './client.ts'
import { type Device, grantOf } from './state.ts'

/**
 * `POST /auth/revoke`. Either kind of token ends the person's consent, with every token of it, and the next login is a first
 * one again; a token that is unknown or has ended already is no error.
 */
export async function revoke(ctx: Context, device: Device): Promise<void> {
  const form = await readForm(ctx.req)
  const client = await authenticateClient(form, device)
  const token = required(form.values, 'token')
  const grant = grantOf(device.refresh_tokens, token) ?? grantOf(device.access_tokens, token)
  if (grant?.client_id === client.client_id) grant.consent.withdrawn = true
  ctx.status = 200
  ctx.body = ''
}
