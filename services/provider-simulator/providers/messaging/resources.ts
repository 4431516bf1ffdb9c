import type { Context } from '#http'
import { type ErrorFields, type ErrorFormat, oauthError, SimulatedError } from '../../oauth/errors.ts'
import { findGrant } from '../../oauth/grants.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { readBearerToken } from '../../oauth/userinfo.ts'
import type { Friends } from './friends.ts'

/** The resource API writes an error as `{"message": …}`. */
export const messageErrors: ErrorFormat = { body: ({ description }) => ({ message: description }) }

export const invalidAccessToken: ErrorFields = oauthError('invalid_token', 'invalid token', 401)

export function lacksScope(scopes: readonly string[], scope: string): ErrorFields | undefined {
  if (scopes.includes(scope)) return undefined
  return oauthError('insufficient_scope', `The access token lacks the scope ${scope}.`, 403)
}

/** `GET /v2/profile` */
export function showMessagingProfile(ctx: Context, server: OAuthServer): void {
  const { user, sub } = identifyBearer(ctx, server)
  ctx.body = {
    userId: sub,
    displayName: user.name,
    pictureUrl: user.picture,
    statusMessage: `${user.given_name} is a user of the simulator.`,
  }
}

/**
 * `GET /friendship/v1/status`. For a channel without an official account, only the status 400 and the message were
 * observed at the real provider.
 */
export function showFriendship(ctx: Context, friends: Friends, server: OAuthServer): void {
  const { client, sub } = identifyBearer(ctx, server)
  if (!client.official_account) {
    throw new SimulatedError(oauthError('invalid_request', 'There is no login bot linked to this channel.'))
  }
  ctx.body = { friendFlag: friends.has(client, sub) }
}

function identifyBearer(ctx: Context, server: OAuthServer) {
  const grant = findGrant(server.grants.accessTokens, readBearerToken(ctx))
  const error = grant === undefined ? invalidAccessToken : lacksScope(grant.scopes, 'profile')
  if (grant === undefined || error !== undefined) throw new SimulatedError(error ?? invalidAccessToken)
  return identify(grant, server)
}
