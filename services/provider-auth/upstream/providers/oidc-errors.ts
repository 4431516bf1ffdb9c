import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { ProviderLoginRejected, ProviderRequestFailed, ReauthenticationRequired } from '../../domain/provider-client.ts'

/**
 * Throws for errors that the library would report as invalid responses: neither `code` nor `error`, which some
 * providers send if the end user denies, or an error without `iss`, which RFC 9207 requires but providers document for
 * successful responses only.
 */
export function throwIfDenied(returned: URLSearchParams): void {
  const error = returned.get('error')
  if (error === null && !returned.has('code')) throw new ProviderLoginRejected('access_denied')
  if (error !== null && !returned.has('iss')) throw new ProviderLoginRejected(error)
}

/** RFC 6749 5.2: `invalid_grant` means that the refresh token is expired, revoked or not ours. */
export function throwRefreshError(error: unknown): never {
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    throw new ReauthenticationRequired({ cause: error })
  return throwProviderError(error)
}

export function throwProviderError(error: unknown): never {
  if (error instanceof AuthorizationResponseError) throw new ProviderLoginRejected(error.error, { cause: error })
  if (error instanceof ResponseBodyError) throw new ProviderRequestFailed(error.error, { cause: error })
  throw error
}
