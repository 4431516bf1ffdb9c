import type { Context } from '#http'
import { appOf, authorizationById, authorizationOf, tokenOf } from './access.ts'
import { GraphError } from './errors.ts'
import { memberOf } from './member.ts'
import { removeApplication } from './removal.ts'
import type { Authorization, Social } from './state.ts'

/** `GET /v26.0/<me or user id>/permissions` */
export function listPermissions(ctx: Context, social: Social): void {
  const { granted, declined } = named(ctx, social)
  const entries = (permissions: Iterable<string>, status: string) =>
    [...permissions].map((permission) => ({ permission, status }))
  ctx.body = { data: [...entries(granted, 'granted'), ...entries(declined, 'declined')] }
}

/** `DELETE /v26.0/<me or user id>/permissions`: removes the application, which hears of it as if the person had done it. */
export function deletePermissions(ctx: Context, social: Social): void {
  // The answer does not wait for the application's.
  void removeApplication(named(ctx, social), social)
  ctx.body = true
}

/** `DELETE /v26.0/<me or user id>/permissions/<permission>` */
export function deletePermission(ctx: Context, social: Social): void {
  const { granted, declined } = named(ctx, social)
  const { permission = '' } = ctx.params
  if (granted.delete(permission)) declined.add(permission)
  ctx.body = true
}

/** Whom the path names: the person of the access token, or one whom the application names with its own token. */
function named(ctx: Context, social: Social): Authorization {
  const { user = '' } = ctx.params
  const app = appOf(tokenOf(ctx), social)
  const authorization = app ? authorizationById(user, app.client_id, social) : authorizationOf(ctx, social)
  if (authorization !== undefined && [app ? '' : 'me', memberOf(authorization, social).id].includes(user)) {
    return authorization
  }
  const message = `Unsupported request. Object with ID '${user}' does not exist or cannot be loaded`
  throw new GraphError(100, message, { type: 'GraphMethodException', subcode: 33 })
}
