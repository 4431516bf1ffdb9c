import { z } from 'zod'
import { providerTimeoutMs } from '../http-client/fetch.ts'
import { requestFriendshipStatus } from './friendship-status.ts'
import type { NativeDescription } from './native-description.ts'
import { readResource } from './native-resource.ts'
import type { SupplementaryResource } from './oidc-description.ts'
import { toExpiryDate } from './token-response.ts'

const api = 'https://api.line.me'

export const messagingFriendship: SupplementaryResource<boolean> = {
  endpoint: `${api}/friendship/v1/status`,
  read: (body) => z.object({ friendFlag: z.boolean() }).parse(body).friendFlag,
}

const Inspected = z.object({ client_id: z.string(), expires_in: z.number().positive() })
const Profile = z.looseObject({ userId: z.string() })

/**
 * The LINE SDK. Its ID Tokens are signed with ES256, unlike those of web logins. An access token is verified as LINE
 * requires of servers: first its channel and lifetime, then the user's profile.
 */
export const messagingNative: Omit<NativeDescription, 'toProviderData'> = {
  id_token: { alg: 'ES256', jwks: `${api}/oauth2/v2.1/certs`, issuer: 'https://access.line.me' },
  accessToken: {
    saysClient: true,
    async readUser(accessToken, { fetch, settings }) {
      const parameters = new URLSearchParams({ access_token: accessToken })
      const { client_id, expires_in } = await readResource(Inspected, `${api}/oauth2/v2.1/verify?${parameters}`, fetch)
      const request = { fetch, access_token: accessToken, timeoutMs: providerTimeoutMs }
      const [{ userId, ...claims }, friendship] = await Promise.all([
        readResource(Profile, `${api}/v2/profile`, fetch, accessToken),
        settings.official_account ? requestFriendshipStatus(messagingFriendship, request) : undefined,
      ])
      return {
        client_id,
        provider_user_id: userId,
        expires_at: toExpiryDate(expires_in),
        claims,
        friendship_status: friendship && 'friendship_status' in friendship ? friendship.friendship_status : undefined,
      }
    },
  },
}
