import type { Context } from '#http'
import { bearerToken } from '../../oauth.ts'
import { userinfoClaims } from '../../scenarios/id-tokens.ts'
import { friendship, type Grant, grantOf, type Member, type Messaging, memberNamed } from './state.ts'

/** A refusal of the resource API, which has a form of its own: `{"message": …}`. */
export class ResourceError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ResourceError'
    this.status = status
  }
}

export async function answerResourceErrors(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error
    ctx.status = error.status
    ctx.body = { message: error.message }
  }
}

/** `GET|POST /oauth2/v2.1/userinfo`, which never tells an e-mail address. */
export function showUserinfo(ctx: Context, messaging: Messaging): void {
  const { grant, member } = bearer(ctx, messaging, 'openid')
  const { name, picture } = member
  const told = { sub: member.user_id, ...(grant.scopes.includes('profile') ? { name, picture } : {}) }
  ctx.body = userinfoClaims(told, messaging.scenarios.activeFor('messaging', grant.name))
}

/** `GET /v2/profile` */
export function showProfile(ctx: Context, messaging: Messaging): void {
  const { member } = bearer(ctx, messaging, 'profile')
  ctx.body = {
    userId: member.user_id,
    displayName: member.name,
    pictureUrl: member.picture,
    statusMessage: `${member.given_name} is a person of the simulator.`,
  }
}

/** `GET /friendship/v1/status`; only the status 400 and text for a channel without an official account are from the field. */
export function showFriendship(ctx: Context, messaging: Messaging): void {
  const { grant, member } = bearer(ctx, messaging, 'profile')
  if (!messaging.clients.find('messaging', grant.client_id)?.official_account) {
    throw new ResourceError(400, 'There is no login bot linked to this channel.')
  }
  ctx.body = { friendFlag: messaging.friends.has(friendship(grant, member)) }
}

function bearer(ctx: Context, messaging: Messaging, scope: string): { grant: Grant; member: Member } {
  const grant = grantOf(messaging.access_tokens, bearerToken(ctx))
  if (grant === undefined) throw new ResourceError(401, 'invalid token')
  if (!grant.scopes.includes(scope)) throw new ResourceError(403, `The access token lacks the scope ${scope}.`)
  return { grant, member: memberNamed(grant.name, messaging) }
}
