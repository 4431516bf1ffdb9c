import { z } from 'zod'
import type { OidcProtocol } from '#contracts'
import { parseJson } from '#http'
import type { FriendshipStatusResult } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { type FetchFromProvider, isProviderUnavailable } from '../http-client/fetch.ts'
import { findClaim } from './find-claims.ts'

type FriendshipResource = Pick<NonNullable<OidcProtocol['friendship']>, 'endpoint' | 'status'>

/**
 * Reads the friendship status of a response.
 *
 * @throws ZodError
 */
export function readFriendship(body: unknown, status: FriendshipResource['status']): boolean {
  return z.boolean().parse(findClaim(body, status))
}

/**
 * Requests the friendship status outside of a login. The provider's resources respond to errors with `{"message": …}`
 * only, so the `error` is ours, as in RFC 6750 3.1 and RFC 6749 4.1.2.1.
 */
export async function requestFriendshipStatus(
  { endpoint, status }: FriendshipResource,
  {
    fetch,
    access_token,
    timeoutMs,
  }: { readonly fetch: FetchFromProvider; readonly access_token: string; readonly timeoutMs: number },
): Promise<FriendshipStatusResult> {
  try {
    const headers = { authorization: `Bearer ${access_token}`, accept: 'application/json' }
    const response = await fetch(endpoint, { method: 'GET', headers, timeoutMs })
    const body = parseJson(await response.text())
    if (response.status !== 200) return toProviderError(toErrorCode(response.status), readMessage(body))
    return { friendship_status: readFriendship(body, status) }
  } catch (error) {
    if (isProviderUnavailable(error))
      return toProviderError('temporarily_unavailable', 'The provider did not respond in time.')
    return toProviderError('provider_error', 'The provider sent an invalid response.')
  }
}

function toErrorCode(status: number): string {
  if (status === 401) return 'invalid_token'
  if (status === 403) return 'insufficient_scope'
  return status === 429 || status >= 500 ? 'temporarily_unavailable' : 'provider_error'
}

const ErrorBody = z.object({ message: z.string() })

function readMessage(body: unknown): string {
  const { data } = ErrorBody.safeParse(body)
  return toPrintable(data?.message ?? '') || 'The provider gave no reason.'
}

/** Limits a text of the provider to short printable ASCII. */
function toPrintable(text: string): string {
  return text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 255)
}

function toProviderError(error: string, errorDescription: string): FriendshipStatusResult {
  return { provider_error: { error, error_description: errorDescription } }
}

/** Whether the callback says that the end user became a friend of the official account during the login. */
export function hasBecomeFriend(
  { friendship }: OidcProtocol,
  { searchParams }: URL,
  { official_account }: SiteProviderSettings,
): boolean {
  return official_account && friendship !== undefined && searchParams.get(friendship.newFriendParameter) === 'true'
}
