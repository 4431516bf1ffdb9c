import { type Context, readForm } from '#http'
import { OAuthError } from '../../http/oauth-error.ts'
import type { OAuthErrorName } from '../../http/oauth-errors.ts'

/**
 * Reads the access token of a request from the `Authorization` header or, with POST, from the form (RFC 6750 2.1 and
 * 2.2). Tokens must not be in URLs (RFC 9700 4.3.2).
 *
 * @throws OAuthError `invalid_token`, `invalid_request`
 */
export async function readAccessToken(ctx: Context): Promise<string> {
  if (ctx.querystring !== '') throw badRequest('access_token_in_url')
  const inHeader = readBearer(ctx.headers.authorization)
  const inForm = ctx.method === 'POST' && ctx.is('urlencoded') ? await readFromForm(ctx) : undefined
  if (inHeader !== undefined && inForm !== undefined) throw badRequest('access_token_repeated')
  const accessToken = inHeader ?? inForm
  // A request without a token gets the challenge without an error code (RFC 6750 3.1).
  if (accessToken === undefined) throw new OAuthError('access_token_missing', { challenge: 'Bearer' })
  return accessToken
}

function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? '')?.[1]
}

async function readFromForm(ctx: Context): Promise<string | undefined> {
  const { values, repeated } = await readForm(ctx.req)
  if (repeated.size > 0) throw badRequest('parameter_repeated')
  return values.get('access_token')
}

function badRequest(name: OAuthErrorName): OAuthError {
  return new OAuthError(name, { challenge: 'Bearer error="invalid_request"' })
}
