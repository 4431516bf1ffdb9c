import {
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretJwt,
  ClientSecretPost,
  None,
  PrivateKeyJwt,
} from 'openid-client'
import type { OidcProtocol } from '#contracts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { importPrivateKey } from './private-key.ts'
import { signClientSecret } from './signed-secret.ts'

/** Creates our client authentication at a provider's token endpoint, by the method that the provider requires. */
export function createClientAuthentication(
  { clientAuthentication, issuer }: Pick<OidcProtocol, 'clientAuthentication' | 'issuer'>,
  settings: Pick<SiteProviderSettings, 'client_id' | 'client_secret' | 'options'>,
): ClientAuth {
  const { client_id, client_secret } = settings
  switch (clientAuthentication ?? 'client_secret_post') {
    case 'client_secret_post':
      return ClientSecretPost(client_secret)
    case 'client_secret_basic':
      return ClientSecretBasic(client_secret)
    case 'client_secret_jwt':
      return ClientSecretJwt(client_secret)
    case 'none':
      return None()
    case 'raw_basic': {
      const credentials = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
      return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`)
    }
    // The library awaits the functions, although its types do not say so.
    case 'private_key_jwt':
      return async (server, client, body, headers) => {
        const authenticate = PrivateKeyJwt(await importPrivateKey(client_secret))
        await authenticate(server, client, body, headers)
      }
    case 'signed_secret':
      return async (_server, _client, body) => {
        body.set('client_id', client_id)
        body.set('client_secret', await signClientSecret(settings, issuer))
      }
  }
}
