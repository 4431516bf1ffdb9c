import { type Context, type Parameters, readForm } from '#http'
import { newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { fitsChallenge, OAuthError } from '../../oauth.ts'
import { authenticateClient, required } from './client.ts'
import { issueIdToken } from './id-token.ts'
import type { Code, Grant, Portal } from './state.ts'

/** `POST /yconnect/v2/token`: exchanges a code, or refreshes. */
export async function issueTokens(ctx: Context, portal: Portal): Promise<void> {
  const form = await readForm(ctx.req)
  const client = authenticateClient(ctx, form, portal)
  const grant_type = required(form.values, 'grant_type')
  if (grant_type === 'authorization_code') ctx.body = await exchangeCode(form, client, portal)
  else if (grant_type === 'refresh_token') ctx.body = refresh(form, client, portal)
  else throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
}

async function exchangeCode({ values }: Parameters, client: Client, portal: Portal): Promise<object> {
  const code = portal.codes.take(required(values, 'code'))
  if (code === undefined || code.client_id !== client.client_id) {
    throw new OAuthError('invalid_grant', 'The code is unknown, used or over.')
  }
  if (values.get('redirect_uri') !== code.redirect_uri) {
    throw new OAuthError('invalid_redirect_uri', 'redirect_uri is not the one of the authorization request.')
  }
  checkVerifier(values.get('code_verifier'), code)
  const answer = giveAccess(code, portal)
  const refresh_token = newToken('', 48)
  portal.refresh_tokens.set(refresh_token, code)
  const id_token = code.scopes.includes('openid') ? await issueIdToken(code, answer.access_token, portal) : undefined
  return { ...answer, refresh_token, id_token }
}

function checkVerifier(verifier: string | undefined, { code_challenge }: Code): void {
  if (code_challenge === undefined) return
  if (verifier === undefined || !fitsChallenge(verifier, code_challenge, 'S256')) {
    throw new OAuthError('invalid_grant', 'code_verifier does not fit the code_challenge.')
  }
}

/** A new access token alone: the refresh token stays as it is, and there is no ID Token. */
function refresh({ values }: Parameters, client: Client, portal: Portal): object {
  const grant = portal.refresh_tokens.get(required(values, 'refresh_token'))
  if (grant === undefined || grant.client_id !== client.client_id) {
    throw new OAuthError('invalid_grant', 'The refresh token is unknown or over.')
  }
  return giveAccess(grant, portal)
}

function giveAccess(grant: Grant, portal: Portal) {
  const access_token = newToken('', 300)
  portal.access_tokens.set(access_token, grant)
  return { access_token, token_type: 'Bearer', expires_in: portal.access_tokens.secondsLeft(access_token) }
}
