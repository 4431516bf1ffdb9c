import { type Context, readParameters } from '#http'
import { appOf, liveToken, tokenOf } from './access.ts'
import { GraphError } from './errors.ts'
import { memberOf } from './member.ts'
import type { Social } from './state.ts'

/** `GET /debug_token?input_token=…` with an app access token: what a token is, of the same application alone. */
export function debugToken(ctx: Context, social: Social): void {
  const app = appOf(tokenOf(ctx), social)
  if (app === undefined) throw new GraphError(190, 'Invalid OAuth access token - an app access token is needed')
  const input_token = readParameters(ctx.querystring).values.get('input_token')
  if (input_token === undefined) throw new GraphError(100, '(#100) You must provide an input token')
  ctx.body = { data: dataOf(input_token, app.client_id, social) }
}

function dataOf(input_token: string, app_id: string, social: Social): object {
  try {
    const { authorization, issued_at, expires_at } = liveToken(input_token, social)
    if (authorization.client_id !== app_id) {
      throw new GraphError(100, '(#100) The App_id in the input_token did not match the Viewing App')
    }
    return {
      app_id,
      type: 'USER',
      application: social.clients.find('social', app_id)?.name ?? app_id,
      expires_at,
      is_valid: true,
      issued_at,
      scopes: [...authorization.granted],
      user_id: memberOf(authorization, social).id,
    }
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    const { code, message, subcode } = error
    return { error: { code, message, subcode }, is_valid: false, scopes: [] }
  }
}
