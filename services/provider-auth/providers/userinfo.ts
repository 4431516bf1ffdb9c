import { ClientError, type Configuration, fetchUserInfo, WWWAuthenticateChallengeError } from 'openid-client'
import type { Logger } from '#runtime'
import type { Claims } from './claims.ts'
import type { OidcDescription } from './oidc-description.ts'

interface UserinfoRequest {
  readonly configuration: Configuration
  readonly access_token: string
  /** The user of the ID Token; userinfo must be about the same user. */
  readonly provider_user_id: string
  readonly logger: Logger
}

/**
 * Fetches the claims of userinfo: empty if the provider has no userinfo, undefined if the provider denies it and may do
 * so.
 *
 * @throws an error of openid-client: denied, another `sub`, or an invalid response
 */
export async function fetchUserinfo(
  { provider, endpoints, isUserinfoOptional: userinfoMayBeRefused }: OidcDescription,
  { configuration, access_token, provider_user_id, logger }: UserinfoRequest,
): Promise<Claims | undefined> {
  if (endpoints.userinfo === undefined) return {}
  try {
    return await fetchUserInfo(configuration, access_token, provider_user_id)
  } catch (error) {
    if (!userinfoMayBeRefused || !rejectionStatuses.has(statusOf(error))) throw error
    logger.warn({ error, provider }, 'the provider denied userinfo; the login continues without it')
    return undefined
  }
}

/**
 * RFC 6750 3.1. Any other failure, e.g. an outage, is not a denial: data from earlier logins must not be lost because
 * of it.
 */
const rejectionStatuses: ReadonlySet<number | undefined> = new Set([400, 401, 403])

function statusOf(error: unknown): number | undefined {
  if (error instanceof WWWAuthenticateChallengeError) return error.status
  return error instanceof ClientError && error.cause instanceof Response ? error.cause.status : undefined
}
