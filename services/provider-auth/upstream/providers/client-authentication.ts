import { type ClientAuth, ClientSecretPost } from 'openid-client'
import type { OidcProtocol } from '#contracts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { signClientSecret } from './signed-secret.ts'

/** Creates our client authentication at a provider's token endpoint, by the method that the provider requires. */
export function createClientAuthentication(
  { clientAuthentication, issuer }: Pick<OidcProtocol, 'clientAuthentication' | 'issuer'>,
  settings: Pick<SiteProviderSettings, 'client_id' | 'client_secret' | 'options'>,
): ClientAuth {
  const { client_id, client_secret } = settings
  if (clientAuthentication === undefined) return ClientSecretPost(client_secret)
  if (clientAuthentication === 'signed_secret') {
    // The library awaits the function, although its type does not say so.
    return async (_server, _client, body) => {
      body.set('client_id', client_id)
      body.set('client_secret', await signClientSecret(settings, issuer))
    }
  }
  const credentials = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`)
}
