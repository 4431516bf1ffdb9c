import { SignJWT } from 'jose'
import { limits, type Provider } from '#contracts'
import type { Deps } from '../deps.ts'
import type { RegisteredClient } from '../domain/client.ts'

/** The login that an ID Token is about. */
export interface IdTokenLogin {
  readonly client: RegisteredClient
  readonly identifier: string
  readonly primary_key: string | null
  readonly provider: Provider
  readonly provider_user_id: string
  readonly nonce: string | null
  readonly auth_time: Date
  /** The claims of the granted scopes; only in the `id_token` flow (OpenID Connect Core 5.4). */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** Signs an ID Token (OpenID Connect Core 2) with the algorithm that is registered for the client. */
export async function signIdToken(
  { signingKeys, names, auth_url }: Pick<Deps, 'signingKeys' | 'names' | 'auth_url'>,
  login: IdTokenLogin,
): Promise<string> {
  const { client, identifier, primary_key, provider, provider_user_id, nonce, auth_time, claims } = login
  const { kid, alg, private_key } = signingKeys.active(client.id_token_alg)
  const issuedAt = Math.floor(Date.now() / 1_000)
  return new SignJWT({
    ...claims,
    iss: auth_url,
    sub: identifier,
    aud: client.client_id,
    iat: issuedAt,
    exp: issuedAt + limits.id_token_seconds,
    auth_time: Math.floor(auth_time.getTime() / 1_000),
    ...(nonce !== null && { nonce }),
    ...(primary_key !== null && { primary_key }),
    provider: names.wire(provider),
    provider_uid: provider_user_id,
  })
    .setProtectedHeader({ alg, kid })
    .sign(private_key)
}
