import type { Context } from '#http'
import { type ErrorFields, type ErrorFormat, oauthError, ProviderError } from '../../oauth/errors.ts'
import { findGrant } from '../../oauth/grants.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { bearerToken } from '../../oauth/userinfo.ts'
import type { Friends } from './friends.ts'

/** The resource API writes an error as `{"message": …}`. */
export const messageErrors: ErrorFormat = { body: ({ description }) => ({ message: description }) }

export const invalidAccessToken: ErrorFields = oauthError('invalid_token', 'invalid token', 401)

export function lacksScope(scopes: readonly string[], scope: string): ErrorFields | undefined {
  if (scopes.includes(scope)) return undefined
  return oauthError('insufficient_scope', `The access token lacks the scope ${scope}.`, 403)
}

/** `GET /v2/profile` */
export function showProfile(ctx: Context, server: OAuthServer): void {
  const { person, sub } = identifyBearer(ctx, server)
  ctx.body = {
    userId: sub,
    displayName: person.name,
    pictureUrl: person.picture,
    statusMessage: `${person.given_name} is a person of the simulator.`,
  }
}

/** `GET /friendship/v1/status`; only the status 400 and text for a channel without an official account are from the field. */
export function showFriendship(ctx: Context, friends: Friends, server: OAuthServer): void {
  const { client, sub } = identifyBearer(ctx, server)
  if (!client.official_account) {
    throw new ProviderError(oauthError('invalid_request', 'There is no login bot linked to this channel.'))
  }
  ctx.body = { friendFlag: friends.has(client, sub) }
}

function identifyBearer(ctx: Context, server: OAuthServer) {
  const grant = findGrant(server.grants.accessTokens, bearerToken(ctx))
  const error = grant === undefined ? invalidAccessToken : lacksScope(grant.scopes, 'profile')
  if (grant === undefined || error !== undefined) throw new ProviderError(error ?? invalidAccessToken)
  return identify(grant, server)
}
