import { type Context, readForm, readParameters } from '#http'
import { equalSecrets, newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { nowSeconds } from '../../oauth.ts'
import { liveToken } from './access.ts'
import { GraphError } from './errors.ts'
import { type Authorization, isCurrent, lives, type Social } from './state.ts'

/**
 * `GET|POST /v26.0/oauth/access_token`: exchanges a code, whatever `grant_type` says of it; exchanges a token that still
 * lives for one that lives long; or gives the application's own token. There are no refresh tokens.
 */
export async function issueToken(ctx: Context, social: Social): Promise<void> {
  const { values } = ctx.method === 'POST' ? await readForm(ctx.req) : readParameters(ctx.querystring)
  const client = authenticate(values, social)
  const grant_type = values.get('grant_type')
  if (grant_type === 'fb_exchange_token') ctx.body = prolong(values, client, social)
  else if (grant_type === 'client_credentials') {
    ctx.body = { access_token: `${client.client_id}|${client.client_secret}`, token_type: 'bearer' }
  } else ctx.body = exchangeCode(values, client, social)
}

type Values = ReadonlyMap<string, string>

function authenticate(values: Values, { clients }: Social): Client {
  const client = clients.find('social', values.get('client_id'))
  if (client === undefined) {
    throw new GraphError(101, 'Error validating application. Cannot get application info due to a system error.')
  }
  if (!equalSecrets(values.get('client_secret') ?? '', client.client_secret)) {
    throw new GraphError(1, 'Error validating client secret.')
  }
  return client
}

function exchangeCode(values: Values, { client_id }: Client, social: Social): object {
  const code = social.codes.take(required(values, 'code'))
  if (code === undefined || code.authorization.client_id !== client_id || !isCurrent(code.authorization, social)) {
    throw new GraphError(100, 'This authorization code has been used, has expired or is not yours.', { subcode: 36009 })
  }
  if (values.get('redirect_uri') !== code.redirect_uri) {
    const message =
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request'
    throw new GraphError(100, message, { subcode: 36008 })
  }
  return give(code.authorization, lives.short_token_seconds, social)
}

function prolong(values: Values, { client_id }: Client, social: Social): object {
  const { authorization } = liveToken(required(values, 'fb_exchange_token'), social)
  if (authorization.client_id !== client_id) {
    throw new GraphError(190, 'Error validating access token: the token belongs to another application.')
  }
  return give(authorization, lives.long_token_seconds, social)
}

function give(authorization: Authorization, usual_seconds: number, { access_tokens, scenarios }: Social): object {
  const short = scenarios.activeFor('social', authorization.name).get('short_access_tokens')
  const life_seconds = Math.min(usual_seconds, short?.seconds ?? usual_seconds)
  const access_token = newToken('EAA', 150)
  const issued_at = nowSeconds()
  access_tokens.set(access_token, { authorization, issued_at, expires_at: issued_at + life_seconds })
  return { access_token, token_type: 'bearer', expires_in: life_seconds }
}

function required(values: Values, name: string): string {
  const value = values.get(name)
  if (value === undefined) throw new GraphError(100, `Missing ${name} parameter.`)
  return value
}
