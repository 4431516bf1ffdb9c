import { type ClientAuth, ClientSecretPost } from 'openid-client'
import type { ProviderSettings } from '../store/provider-settings.ts'
import type { OidcDescription } from './oidc-description.ts'

/** Proves at a provider's token endpoint that it is us who ask, as the provider wants it. */
export function authenticateClient(
  { client_authentication }: Pick<OidcDescription, 'client_authentication'>,
  { client_id, client_secret }: Pick<ProviderSettings, 'client_id' | 'client_secret'>,
): ClientAuth {
  if (client_authentication === undefined) return ClientSecretPost(client_secret)
  const credentials = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`)
}
