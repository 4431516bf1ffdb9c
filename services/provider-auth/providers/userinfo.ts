import { ClientError, type Configuration, fetchUserInfo, WWWAuthenticateChallengeError } from 'openid-client'
import type { Logger } from '#runtime'
import type { Claims } from './claims.ts'
import type { OidcDescription } from './oidc-description.ts'

interface UserinfoRequest {
  readonly configuration: Configuration
  readonly access_token: string
  /** Whom the ID Token names; userinfo must be about the same. */
  readonly provider_user_id: string
  readonly logger: Logger
}

/**
 * The claims of userinfo; empty when the provider has no userinfo, undefined when it refused and is allowed to.
 *
 * @throws an error of openid-client: refused, another `sub`, or no answer that is one
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
    logger.warn({ error, provider }, 'a provider refused userinfo; the login continues without it')
    return undefined
  }
}

/** RFC 6750 3.1. Anything else, e.g. an outage, is no refusal: what was told before must not be lost to it. */
const rejectionStatuses: ReadonlySet<number | undefined> = new Set([400, 401, 403])

function statusOf(error: unknown): number | undefined {
  if (error instanceof WWWAuthenticateChallengeError) return error.status
  return error instanceof ClientError && error.cause instanceof Response ? error.cause.status : undefined
}
