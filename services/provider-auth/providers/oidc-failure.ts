import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { ProviderFailure, ProviderRefusal, ReauthNeeded } from './provider.ts'

/**
 * A refusal that the library would take for a broken answer: neither `code` nor `error`, which some providers send if the
 * end user did not agree, or an error without `iss`, which RFC 9207 requires but providers document for successes only.
 */
export function throwRefusal(returned: URLSearchParams): void {
  const error = returned.get('error')
  if (error === null && !returned.has('code')) throw new ProviderRefusal('access_denied')
  if (error !== null && !returned.has('iss')) throw new ProviderRefusal(error)
}

/** RFC 6749 5.2: `invalid_grant` is a refresh token that is expired, revoked or not ours. */
export function throwWhyNotRenewed(error: unknown): never {
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') throw new ReauthNeeded({ cause: error })
  return throwInOurWords(error)
}

export function throwInOurWords(error: unknown): never {
  if (error instanceof AuthorizationResponseError) throw new ProviderRefusal(error.error, { cause: error })
  if (error instanceof ResponseBodyError) throw new ProviderFailure(error.error, { cause: error })
  throw error
}
