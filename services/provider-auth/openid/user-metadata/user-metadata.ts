import { randomUUID } from 'node:crypto'
import type { Call } from '#bus'
import { Fault, isLoginEnded, type MetadataPart, parseViolation } from '#contracts'
import type { Deps } from '../../deps.ts'
import { userMetadataScope } from '../../domain/scopes.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { type AccessTokenGrant, findAccessTokenGrant, parseAccessTokenSite } from '../../store/access-tokens.ts'

/** The part of a user's metadata that applications read and change, and its revision. */
export interface ApplicationMetadata {
  readonly user_metadata: MetadataPart
  readonly revision: number
}

/** A patch (RFC 7396), and the revision that it is based on. */
interface UserMetadataChange {
  readonly user_metadata: MetadataPart
  readonly expected_revision: number | undefined
}

/**
 * The grant of an access token with the scope that reads and changes `user_metadata`.
 *
 * @throws OAuthError `invalid_token`, `insufficient_scope`
 */
export async function findMetadataGrant(accessToken: string, deps: Deps): Promise<AccessTokenGrant> {
  const tokenSite = parseAccessTokenSite(accessToken)
  const isServed = tokenSite !== undefined && deps.isServed(tokenSite)
  const grant = isServed ? await findAccessTokenGrant(deps, accessToken) : undefined
  if (grant === undefined) throw createTokenError()
  // The setting of the client can have changed since the token was issued.
  if (grant.user_metadata_write && grant.scope.includes(userMetadataScope)) return grant
  const challenge = `Bearer error="insufficient_scope", scope="openid ${userMetadataScope}"`
  throw new OAuthError('scope_insufficient', { challenge })
}

/** @throws OAuthError `invalid_token` if the user was deleted or blocked */
export async function readUserMetadata(
  { site, identifier, recorded_at }: AccessTokenGrant,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<ApplicationMetadata> {
  const [{ user }, metadata] = await Promise.all([
    identity.resolveUser({ site, identifier }, call),
    identity.readMetadata({ site, identifier }, call),
  ]).catch((error: unknown) => {
    throw toOAuthError(error)
  })
  if (isLoginEnded(user, recorded_at)) throw createTokenError()
  return metadata
}

/** @throws OAuthError `invalid_token` if the user was deleted or blocked; `invalid_request` */
export async function changeUserMetadata(
  { site, identifier, recorded_at, client_id }: AccessTokenGrant,
  change: UserMetadataChange,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<ApplicationMetadata> {
  const login = { site, identifier, client_id, recorded_at: recorded_at.toISOString() }
  return identity.changeUserMetadata({ ...login, ...change, command: randomUUID() }, call).catch((error: unknown) => {
    throw toOAuthError(error)
  })
}

function createTokenError(cause?: unknown): OAuthError {
  return new OAuthError('access_token_invalid', { challenge: 'Bearer error="invalid_token"', cause })
}

function toOAuthError(error: unknown): unknown {
  if (!(error instanceof Fault)) return error
  switch (error.fault) {
    case 'entity_not_found':
    case 'user_blocked':
      return createTokenError(error)
    case 'changed_meanwhile':
      return new OAuthError('metadata_changed', { cause: error })
    case 'metadata_too_large':
      return new OAuthError('metadata_too_large', { cause: error })
    case 'metadata_invalid':
      return createSchemaError(error)
    default:
      return error
  }
}

/** The error has the place and the rule of the schema also as members, as in the Web API. */
function createSchemaError(cause: Fault): OAuthError {
  const reason = cause.fields[0]?.reason ?? ''
  const error = new OAuthError('metadata_invalid', { parameter: reason, cause })
  return error.withResponse({ body: { ...error.body, ...parseViolation(reason) } })
}
