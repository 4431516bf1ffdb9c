import { z } from 'zod'
import type { ProviderTokens } from '../../domain/credential.ts'
import { ProviderRequestFailed } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'
import { readProviderError } from './provider-error.ts'

const api = 'https://api.line.me'
const ChannelToken = z.object({ access_token: z.string().min(1) })

/**
 * Withdraws an end user's consent at the messaging provider, as it requires, then revokes the access token. Both need a
 * valid access token; if it has expired, there is nothing to do.
 *
 * @throws ProviderRequestFailed, ProviderUnavailable
 */
export async function deauthorizeMessagingUser(
  { client_id, client_secret }: SiteProviderSettings,
  { access_token }: ProviderTokens,
  fetch: FetchFromProvider,
): Promise<void> {
  if (access_token === null) return
  const client = { client_id, client_secret }
  const grant = new URLSearchParams({ grant_type: 'client_credentials', ...client })
  const tokenResponse = await fetch(`${api}/oauth2/v3/token`, { method: 'POST', headers: {}, body: grant })
  if (!tokenResponse.ok) throw new ProviderRequestFailed(await readProviderError(tokenResponse))
  const channel = ChannelToken.parse(await tokenResponse.json())

  const deauthorized = await fetch(`${api}/user/v1/deauthorize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${channel.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ userAccessToken: access_token }),
  })
  if (!deauthorized.ok) {
    const message = await readProviderError(deauthorized)
    // The consent had already been withdrawn.
    if (deauthorized.status !== 400 || message !== 'invalid token') throw new ProviderRequestFailed(message)
  }

  // This provider names the parameter `access_token` (RFC 7009: `token`). It may reject a token that ended with the
  // consent.
  const form = new URLSearchParams({ ...client, access_token })
  const revoked = await fetch(`${api}/oauth2/v2.1/revoke`, { method: 'POST', headers: {}, body: form })
  if (!revoked.ok && revoked.status !== 400) throw new ProviderRequestFailed(await readProviderError(revoked))
}
