import type { Call } from '#bus'
import { Fault } from '#contracts'
import type { Deps } from '../deps.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { findAccessTokenGrant } from '../store/access-tokens.ts'

/**
 * What an access token tells of its user: the claims of the granted scopes as the login supplied them, and `primary_key` as
 * it is mapped when asked.
 *
 * @throws OAuthError `invalid_token` also when the user has been deleted
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
  return new OAuthError(401, 'invalid_token', 'The access token is invalid.', 'Bearer error="invalid_token"')
}
