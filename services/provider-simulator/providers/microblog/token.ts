import { type Context, type Parameters, readForm } from '#http'
import { equalSecrets, newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { fitsChallenge, OAuthError } from '../../oauth.ts'
import { rawBasicCredentials } from '../../raw-basic.ts'
import type { Grant, Microblog } from './state.ts'

/** `POST /2/oauth2/token`: exchanges a code, or refreshes. */
export async function issueTokens(ctx: Context, microblog: Microblog): Promise<void> {
  const form = await readForm(ctx.req)
  const client = authenticateClient(ctx, microblog)
  const grant_type = required(form, 'grant_type')
  if (grant_type === 'authorization_code') ctx.body = exchangeCode(form, client, microblog)
  else if (grant_type === 'refresh_token') ctx.body = refresh(form, client, microblog)
  else throw new OAuthError('invalid_request', 'Value passed for the grant_type was invalid.')
}

/** `POST /2/oauth2/revoke` (RFC 7009). A token that is unknown or over is no error. */
export async function revokeToken(ctx: Context, microblog: Microblog): Promise<void> {
  const form = await readForm(ctx.req)
  const { client_id } = authenticateClient(ctx, microblog)
  const token = required(form, 'token')
  for (const tokens of [microblog.bearer_tokens, microblog.refresh_tokens]) {
    if (tokens.get(token)?.client_id === client_id) tokens.take(token)
  }
  ctx.body = { revoked: true }
}

/** Id and secret count in Basic authentication alone, as they stand. */
function authenticateClient(ctx: Context, { clients }: Microblog): Client {
  const given = rawBasicCredentials(ctx)
  if (given === undefined) throw new OAuthError('unauthorized_client', 'Missing valid authorization header', 401)
  const client = clients.find('microblog', given.client_id)
  if (client === undefined || !equalSecrets(given.client_secret, client.client_secret)) {
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong.', 401)
  }
  return client
}

function exchangeCode(form: Parameters, client: Client, microblog: Microblog): object {
  const code = microblog.codes.take(required(form, 'code'))
  if (code === undefined || code.client_id !== client.client_id) {
    throw new OAuthError('invalid_request', 'Value passed for the authorization code was invalid.')
  }
  if (form.values.get('redirect_uri') !== code.redirect_uri) {
    throw new OAuthError(
      'invalid_request',
      'Value passed for the redirect uri did not match the uri of the authorization code.',
    )
  }
  if (!fitsChallenge(form.values.get('code_verifier') ?? '', code.challenge.text, code.challenge.method)) {
    throw new OAuthError('invalid_request', 'Value passed for the code verifier did not match the code challenge.')
  }
  const { client_id, name, scopes } = code
  return grantTokens({ client_id, name, scopes }, microblog)
}

/** The refresh token is good for once; whether the earlier access token ends with it is not documented, so it does not. */
function refresh(form: Parameters, client: Client, microblog: Microblog): object {
  const token = required(form, 'refresh_token')
  const grant = microblog.refresh_tokens.get(token)
  if (grant === undefined || grant.client_id !== client.client_id) {
    throw new OAuthError('invalid_request', 'Value passed for the token was invalid.')
  }
  microblog.refresh_tokens.take(token)
  return grantTokens(grant, microblog)
}

function grantTokens(grant: Grant, { bearer_tokens, refresh_tokens }: Microblog): object {
  const access_token = newToken('', 68)
  bearer_tokens.set(access_token, grant)
  const answer = {
    token_type: 'bearer',
    expires_in: bearer_tokens.secondsLeft(access_token),
    access_token,
    scope: grant.scopes.join(' '),
  }
  if (!grant.scopes.includes('offline.access')) return answer
  const refresh_token = newToken('', 68)
  refresh_tokens.set(refresh_token, grant)
  return { ...answer, refresh_token }
}

function required({ values }: Parameters, name: string): string {
  const value = values.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `Missing required parameter [${name}].`)
  return value
}
