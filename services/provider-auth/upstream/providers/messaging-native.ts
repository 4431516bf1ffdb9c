import { z } from 'zod'
import { providerTimeoutMs } from '../http-client/fetch.ts'
import { requestFriendshipStatus } from './friendship-status.ts'
import { readResource } from './native-resource.ts'
import type { AccessTokenUser, HookContext } from './provider-hooks.ts'
import { toExpiryDate } from './token-response.ts'

const api = 'https://api.line.me'

const Inspected = z.object({ client_id: z.string(), expires_in: z.number().positive() })
const Profile = z.looseObject({ userId: z.string() })

/** The LINE SDK. A token is verified as LINE requires of servers: first its channel and lifetime, then the profile. */
export async function readMessagingToken(
  accessToken: string,
  { fetch, settings }: HookContext,
): Promise<AccessTokenUser> {
  const parameters = new URLSearchParams({ access_token: accessToken })
  const { client_id, expires_in } = await readResource(Inspected, `${api}/oauth2/v2.1/verify?${parameters}`, fetch)
  const friendship = { endpoint: `${api}/friendship/v1/status`, status: '/friendFlag' }
  const request = { fetch, access_token: accessToken, timeoutMs: providerTimeoutMs }
  const [{ userId, ...claims }, friend] = await Promise.all([
    readResource(Profile, `${api}/v2/profile`, fetch, accessToken),
    settings.official_account ? requestFriendshipStatus(friendship, request) : undefined,
  ])
  return {
    client_id,
    provider_user_id: userId,
    expires_at: toExpiryDate(expires_in),
    claims,
    friendship_status: friend && 'friendship_status' in friend ? friend.friendship_status : undefined,
  }
}
