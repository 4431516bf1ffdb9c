import { z } from 'zod'
import { AppLoginRejected, ProviderRequestFailed } from '../../domain/provider-client.ts'
import type { AccessTokenUser, HookContext } from './provider-hooks.ts'

const Userinfo = z.looseObject({ sub: z.string() })
const withheld = { client_id: undefined, provider_user_id: undefined, expires_at: undefined, claims: undefined }

/** YConnect v2. It documents no way to find out which client an access token was issued to. */
export async function readPortalToken(accessToken: string, { fetch }: HookContext): Promise<AccessTokenUser> {
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
  const response = await fetch('https://userinfo.yahooapis.jp/yconnect/v2/attribute', { method: 'GET', headers })
  const text = await response.text()
  // Only applications that the provider approved may call it.
  if (response.status === 403) return withheld
  if (response.status === 400 || response.status === 401) throw new AppLoginRejected('app_access_token_invalid')
  if (!response.ok) throw new ProviderRequestFailed(`status_${response.status}`)
  const claims = Userinfo.parse(JSON.parse(text))
  return { client_id: undefined, provider_user_id: claims.sub, expires_at: undefined, claims }
}
