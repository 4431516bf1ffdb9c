import { ClientError, type Configuration, fetchUserInfo } from 'openid-client'
import type { OidcProtocol } from '#contracts'
import type { Claims } from './claims.ts'
import type { AdapterDeps } from './provider.ts'

interface UserinfoRequest extends Pick<AdapterDeps, 'skipProfile'> {
  readonly configuration: Configuration
  readonly access_token: string
  /** The user of the ID Token; userinfo must be about the same user. */
  readonly provider_user_id: string
}

/**
 * Fetches the claims of userinfo: empty if the provider has no userinfo, undefined if they could not be fetched. The ID
 * Token has proved the login already.
 *
 * @throws ClientError if userinfo is about another user (OpenID Connect Core 5.3.4)
 */
export async function fetchUserinfo(
  { endpoints }: Pick<OidcProtocol, 'endpoints'>,
  { configuration, access_token, provider_user_id, skipProfile }: UserinfoRequest,
): Promise<Claims | undefined> {
  if (endpoints.userinfo === undefined) return {}
  try {
    return await fetchUserInfo(configuration, access_token, provider_user_id)
  } catch (error) {
    if (error instanceof ClientError && error.code === otherUserCode) throw error
    skipProfile(error)
    return undefined
  }
}

/** The code of openid-client for a `sub` that differs. */
const otherUserCode = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
