import { z } from 'zod'
import { readResource } from './native-resource.ts'
import type { AccessTokenUser, HookContext } from './provider-hooks.ts'
import { toExpiryDate } from './token-response.ts'

/** Numbers are text in this response. */
const Inspected = z.object({ aud: z.string(), sub: z.string().optional(), expires_in: z.coerce.number().positive() })
const Userinfo = z.looseObject({ sub: z.string() })

/** Google's SDKs. */
export async function readSearchToken(accessToken: string, { fetch }: HookContext): Promise<AccessTokenUser> {
  const parameters = new URLSearchParams({ access_token: accessToken })
  const inspected = await readResource(Inspected, `https://oauth2.googleapis.com/tokeninfo?${parameters}`, fetch)
  const userinfo = 'https://openidconnect.googleapis.com/v1/userinfo'
  const claims = await readResource(Userinfo, userinfo, fetch, accessToken)
  if (inspected.sub !== undefined && inspected.sub !== claims.sub)
    throw new Error('The provider named two users for one access token.')
  return {
    client_id: inspected.aud,
    provider_user_id: claims.sub,
    expires_at: toExpiryDate(inspected.expires_in),
    claims,
  }
}
