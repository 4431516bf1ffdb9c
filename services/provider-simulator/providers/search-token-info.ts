import { type Context, readParameters } from '#http'
import { oauthError, SimulatedError, sendErrors } from '../oauth/errors.ts'
import { findGrant } from '../oauth/grants.ts'
import type { AddRoutes } from '../oauth/provider.ts'
import { identify, type OAuthServer } from '../oauth/server.ts'
import { simulatedClock } from '../simulated-clock.ts'

/** The routes that only the search engine has. */
export const addSearchRoutes: AddRoutes = (routes, server) => {
  routes.get('Token information', '/tokeninfo', sendErrors(), (ctx) => showTokenInfo(ctx, server))
}

/** `GET /tokeninfo?access_token=…`: describes an access token to anyone. Numbers and booleans are text. */
function showTokenInfo(ctx: Context, server: OAuthServer): void {
  const { accessTokens } = server.grants
  const accessToken = readParameters(ctx.querystring).values.get('access_token') ?? ''
  const grant = findGrant(accessTokens, accessToken)
  if (grant === undefined) throw new SimulatedError(oauthError('invalid_token', 'Invalid Value'))
  const { client_id, scopes } = grant
  const { sub, user } = identify(grant, server)
  const seconds = accessTokens.secondsLeft(accessToken)
  ctx.body = {
    azp: client_id,
    aud: client_id,
    sub,
    scope: server.dialect.token.scope?.(scopes),
    exp: String(Math.floor(simulatedClock.now() / 1_000) + seconds),
    expires_in: String(seconds),
    ...(scopes.includes('email') && { email: user.email, email_verified: String(user.email_verified) }),
    access_type: 'online',
  }
}
