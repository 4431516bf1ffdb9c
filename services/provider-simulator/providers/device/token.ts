import { type Context, type Parameters, readForm } from '#http'
import { newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { OAuthError } from '../../oauth.ts'
import { authenticateClient, required } from './client.ts'
import { issueIdToken } from './id-token.ts'
import { type Device, type Grant, grantOf } from './state.ts'

/** `POST /auth/token`: exchanges a code, or refreshes. */
export async function issueTokens(ctx: Context, device: Device): Promise<void> {
  const form = await readForm(ctx.req)
  const client = await authenticateClient(form, device)
  const grant_type = required(form.values, 'grant_type')
  if (grant_type === 'authorization_code') ctx.body = await exchangeCode(form, client, device)
  else if (grant_type === 'refresh_token') ctx.body = await refresh(form, client, device)
  else throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
}

async function exchangeCode({ values }: Parameters, client: Client, device: Device): Promise<object> {
  const code = device.codes.take(required(values, 'code'))
  if (code === undefined || code.consent.withdrawn || code.client_id !== client.client_id) {
    throw new OAuthError('invalid_grant', 'The code has expired or has been revoked.')
  }
  if (values.get('redirect_uri') !== code.redirect_uri) {
    throw new OAuthError('invalid_grant', 'redirect_uri is not the one of the authorization request.')
  }
  const refresh_token = newToken('r')
  device.refresh_tokens.set(refresh_token, code)
  return { ...(await tokensFor(code, code.nonce, device)), refresh_token }
}

/** There is no new refresh token; the ID Token has no nonce. */
async function refresh({ values }: Parameters, client: Client, device: Device): Promise<object> {
  const grant = grantOf(device.refresh_tokens, required(values, 'refresh_token'))
  if (grant === undefined || grant.client_id !== client.client_id) {
    throw new OAuthError('invalid_grant', 'The token has expired or has been revoked.')
  }
  return tokensFor(grant, undefined, device)
}

async function tokensFor(grant: Grant, nonce: string | undefined, device: Device) {
  const access_token = newToken('a')
  device.access_tokens.set(access_token, grant)
  const id_token = await issueIdToken(grant, { nonce, access_token }, device)
  return { access_token, token_type: 'Bearer', expires_in: device.access_tokens.secondsLeft(access_token), id_token }
}
