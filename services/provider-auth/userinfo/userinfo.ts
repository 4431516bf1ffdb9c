import type { Call } from '#bus'
import { Fault } from '#contracts'
import type { Deps } from '../deps.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { findAccessTokenGrant } from '../store/access-tokens.ts'

/**
 * Returns the claims for an access token: those of the granted scopes as of the login, and the current `primary_key`.
 *
 * @throws OAuthError `invalid_token`, also if the user was deleted
 */
export async function readUserinfo(accessToken: string, deps: Deps, call: Call): Promise<Record<string, unknown>> {
  const grant = await findAccessTokenGrant(deps, accessToken)
  if (grant === undefined) throw invalidToken()
  const { site, identifier, provider, provider_user_id, claims } = grant
  const { user } = await deps.identity.resolveUser({ site, identifier }, call).catch(refuseDeletedUser)
  return {
    ...claims,
    sub: identifier,
    ...(user.primary_key !== null && { primary_key: user.primary_key }),
    provider: deps.names.wire(provider),
    provider_uid: provider_user_id,
  }
}

function refuseDeletedUser(error: unknown): never {
  throw error instanceof Fault && error.fault === 'entity_not_found' ? invalidToken() : error
}

function invalidToken(): OAuthError {
  return new OAuthError('access_token_invalid', { challenge: 'Bearer error="invalid_token"' })
}
