import type { Context } from '#http'
import type { ProviderConsent } from '../../oauth/grants.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { findApp, findCallConsent, findGraphAccessToken } from './access.ts'
import { removeApplication } from './application-removal.ts'
import { graphError } from './errors.ts'

/** `GET /v26.0/<me or user id>/permissions` */
export function listPermissions(ctx: Context, server: OAuthServer): void {
  const { granted, declined } = findPathConsent(ctx, server)
  const entries = (permissions: Iterable<string>, status: string) =>
    [...permissions].map((permission) => ({ permission, status }))
  ctx.body = { data: [...entries(granted, 'granted'), ...entries(declined, 'declined')] }
}

/**
 * `DELETE /v26.0/<me or user id>/permissions`: removes the application, which receives the same webhooks as if the end
 * user removed it.
 */
export function deletePermissions(ctx: Context, server: OAuthServer): void {
  // The response does not wait for the webhooks.
  void removeApplication(findPathConsent(ctx, server), server)
  ctx.body = true
}

/** `DELETE /v26.0/<me or user id>/permissions/<permission>` */
export function deletePermission(ctx: Context, server: OAuthServer): void {
  const { granted, declined } = findPathConsent(ctx, server)
  const { permission = '' } = ctx.params
  if (granted.delete(permission)) declined.add(permission)
  ctx.body = true
}

/**
 * The consent of the end user in the path: the access token's user, or any user of the application with the app access
 * token.
 */
function findPathConsent(ctx: Context, server: OAuthServer): ProviderConsent {
  const { user = '' } = ctx.params
  const app = findApp(findGraphAccessToken(ctx), server.clients)
  const hasId = (consent: ProviderConsent) => identify(consent, server).sub === user
  const consent = app
    ? server.grants.consents.list().find((consent) => consent.client_id === app.client_id && hasId(consent))
    : findCallConsent(ctx, server)
  if (consent !== undefined && ((!app && user === 'me') || hasId(consent))) return consent
  const message = `Unsupported request. Object with ID '${user}' does not exist or cannot be loaded`
  throw graphError(100, message, { type: 'GraphMethodException', subcode: 33 })
}
