import { type Context, type Parameters, readForm } from '#http'
import { newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { fitsChallenge, OAuthError } from '../../oauth.ts'
import { authenticateClient, required } from './client.ts'
import { issueIdToken } from './id-token.ts'
import { type Grant, grantOf, type Messaging } from './state.ts'

/** `POST /oauth2/v2.1/token`: exchanges a code, or refreshes. Errors are in lower case here. */
export async function issueTokens(ctx: Context, messaging: Messaging): Promise<void> {
  const form = await readForm(ctx.req)
  const grant_type = required(form.values, 'grant_type')
  const client = authenticateClient(form, messaging)
  if (grant_type === 'authorization_code') ctx.body = await exchangeCode(form, client, messaging)
  else if (grant_type === 'refresh_token') ctx.body = refresh(form, client, messaging)
  else throw new OAuthError('unsupported_grant_type', 'invalid grant_type')
}

async function exchangeCode({ values }: Parameters, client: Client, messaging: Messaging): Promise<object> {
  const redirect_uri = required(values, 'redirect_uri')
  const code = messaging.codes.take(required(values, 'code'))
  if (code === undefined || code.client_id !== client.client_id) {
    throw new OAuthError('invalid_grant', 'invalid authorization code')
  }
  if (redirect_uri !== code.redirect_uri) throw new OAuthError('invalid_grant', 'redirect_uri does not match')
  if (code.code_challenge !== undefined) {
    const verifier = required(values, 'code_verifier')
    if (!fitsChallenge(verifier, code.code_challenge, 'S256')) {
      throw new OAuthError('invalid_grant', 'code_verifier does not match')
    }
  }
  const refresh_token = newToken('', 15)
  messaging.refresh_tokens.set(refresh_token, code)
  return {
    ...issueAccessToken(code, messaging),
    refresh_token,
    ...(code.scopes.includes('openid') ? { id_token: await issueIdToken(code, client, messaging) } : {}),
  }
}

/** The same refresh token comes back, its end stays where it was, and there is no ID Token. */
function refresh({ values }: Parameters, client: Client, messaging: Messaging): object {
  const refresh_token = required(values, 'refresh_token')
  const grant = grantOf(messaging.refresh_tokens, refresh_token)
  if (grant === undefined || grant.client_id !== client.client_id) {
    throw new OAuthError('invalid_grant', 'invalid refresh token')
  }
  return { ...issueAccessToken(grant, messaging), refresh_token }
}

function issueAccessToken(grant: Grant, messaging: Messaging): object {
  const access_token = newToken('', 48)
  messaging.access_tokens.set(access_token, grant)
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: messaging.access_tokens.secondsLeft(access_token),
    scope: shownScope(grant),
  }
}

/** Granted scopes as the provider shows them: `email` is never among them, even when it was granted. */
export function shownScope({ scopes }: Grant): string {
  return scopes.filter((scope) => scope !== 'email').join(' ')
}
