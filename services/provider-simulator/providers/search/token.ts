import { type Context, type Parameters, readForm } from '#http'
import { newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { fitsChallenge, OAuthError } from '../../oauth.ts'
import { authenticateClient, required } from './client.ts'
import { issueIdToken } from './id-token.ts'
import { longForms } from './scopes.ts'
import { type Code, type Grant, grantOf, type Search } from './state.ts'

/** `POST /token`: exchanges a code, or refreshes. */
export async function issueTokens(ctx: Context, search: Search): Promise<void> {
  const form = await readForm(ctx.req)
  const client = authenticateClient(ctx, form, search)
  const grant_type = required(form.values, 'grant_type')
  if (grant_type === 'authorization_code') ctx.body = await exchangeCode(form, client, search)
  else if (grant_type === 'refresh_token') ctx.body = await refresh(form, client, search)
  else throw new OAuthError('unsupported_grant_type', 'Invalid grant_type.')
}

async function exchangeCode({ values }: Parameters, client: Client, search: Search): Promise<object> {
  const code = search.codes.take(required(values, 'code'))
  if (code === undefined || code.consent.withdrawn || code.client_id !== client.client_id) {
    throw new OAuthError('invalid_grant', 'Malformed auth code.')
  }
  if (values.get('redirect_uri') !== code.redirect_uri) throw new OAuthError('redirect_uri_mismatch', 'Bad Request')
  checkVerifier(values.get('code_verifier'), code)
  const answer = await tokensFor(code, code.nonce, search)
  if (!code.with_refresh_token) return answer
  const refresh_token = newToken('1//0')
  search.refresh_tokens.set(refresh_token, code)
  return { ...answer, refresh_token }
}

function checkVerifier(verifier: string | undefined, { challenge }: Code): void {
  if (challenge === undefined) return
  if (verifier === undefined) throw new OAuthError('invalid_grant', 'Missing code verifier.')
  if (!fitsChallenge(verifier, challenge.text, challenge.method)) {
    throw new OAuthError('invalid_grant', 'Invalid code verifier.')
  }
}

/** There is no new refresh token; the ID Token has no nonce. */
async function refresh({ values }: Parameters, client: Client, search: Search): Promise<object> {
  const grant = grantOf(search.refresh_tokens, required(values, 'refresh_token'))
  if (grant === undefined || grant.client_id !== client.client_id) {
    throw new OAuthError('invalid_grant', 'Token has been expired or revoked.')
  }
  return tokensFor(grant, undefined, search)
}

async function tokensFor(grant: Grant, nonce: string | undefined, search: Search): Promise<object> {
  const access_token = newToken('ya29.', 100)
  search.access_tokens.set(access_token, grant)
  return {
    access_token,
    // One second has passed by the time the real provider counts.
    expires_in: Math.max(0, search.access_tokens.secondsLeft(access_token) - 1),
    scope: longForms(grant.scopes),
    token_type: 'Bearer',
    id_token: await issueIdToken(grant, { nonce, access_token }, search),
  }
}
