import { z } from 'zod'
import type { NativeDescription } from './native-description.ts'
import { readResource } from './native-resource.ts'
import { toExpiryDate } from './token-response.ts'

/** Numbers are text in this response. */
const Inspected = z.object({ aud: z.string(), sub: z.string().optional(), expires_in: z.coerce.number().positive() })
const Userinfo = z.looseObject({ sub: z.string() })

/**
 * Google's SDKs. If an app requests an ID Token for a server, the server's client is the audience, and the app's the
 * authorized party.
 */
export const searchNative: Omit<NativeDescription, 'toProviderData'> = {
  id_token: {
    alg: 'RS256',
    jwks: 'https://www.googleapis.com/oauth2/v3/certs',
    issuer: 'https://accounts.google.com',
    otherIssuers: ['accounts.google.com'],
  },
  accessToken: {
    saysClient: true,
    async readUser(accessToken, { fetch }) {
      const parameters = new URLSearchParams({ access_token: accessToken })
      const inspected = await readResource(Inspected, `https://oauth2.googleapis.com/tokeninfo?${parameters}`, fetch)
      const claims = await readResource(
        Userinfo,
        'https://openidconnect.googleapis.com/v1/userinfo',
        fetch,
        accessToken,
      )
      if (inspected.sub !== undefined && inspected.sub !== claims.sub)
        throw new Error('The provider named two users for one access token.')
      return {
        client_id: inspected.aud,
        provider_user_id: claims.sub,
        expires_at: toExpiryDate(inspected.expires_in),
        claims,
      }
    },
  },
}
