import type { Call } from '#bus'
import { Fault, isLoginEnded } from '#contracts'
import type { Deps } from '../../deps.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { readUserClaims } from '../../response/user-claims.ts'
import { findAccessTokenGrant, parseAccessTokenSite } from '../../store/access-tokens.ts'

/**
 * Returns the claims for an access token: those of the granted scopes as of the login, and the current `primary_key`, metadata and
 * answers.
 *
 * @throws OAuthError `invalid_token`, also if the user was deleted or blocked
 */
export async function readUserinfo(accessToken: string, deps: Deps, call: Call): Promise<Record<string, unknown>> {
  const tokenSite = parseAccessTokenSite(accessToken)
  const isServed = tokenSite !== undefined && deps.isServed(tokenSite)
  const grant = isServed ? await findAccessTokenGrant(deps, accessToken) : undefined
  if (grant === undefined) throw await rejectToken(tokenSite, deps, call)
  const { site, identifier, provider, provider_user_id, claims, recorded_at } = grant
  const [{ user }, userClaims] = await Promise.all([
    deps.identity.resolveUser({ site, identifier }, call),
    readUserClaims(grant, grant, deps, call),
  ]).catch(async (error: unknown) => {
    throw isUserDeleted(error) ? await rejectToken(site, deps, call) : error
  })
  if (isLoginEnded(user, recorded_at)) throw await rejectToken(site, deps, call)
  return {
    ...claims,
    ...userClaims,
    sub: identifier,
    ...(user.primary_key !== null && { primary_key: user.primary_key }),
    provider: deps.names.wire(provider),
    provider_uid: provider_user_id,
  }
}

function isUserDeleted(error: unknown): boolean {
  return error instanceof Fault && error.fault === 'entity_not_found'
}

/** @param site the site that the token names; undefined if it is not one of our tokens */
async function rejectToken(site: number | undefined, { hasCompatibility }: Deps, call: Call): Promise<OAuthError> {
  const error = new OAuthError('access_token_invalid', { challenge: 'Bearer error="invalid_token"' })
  const isCompatible = site !== undefined && (await hasCompatibility(site, 'userinfo_unauthorized', call))
  return isCompatible ? error.withResponse({ body: { error: 'unauthorized' } }) : error
}
