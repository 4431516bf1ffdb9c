import { hash } from 'node:crypto'
import { SignJWT } from 'jose'
import { limits, type Provider } from '#contracts'
import type { Deps } from '../deps.ts'
import type { RegisteredClient } from '../domain/client.ts'
import { type SigningAlgorithm, signedHashes } from '../domain/signing-algorithms.ts'

/** The login that an ID Token is about. */
export interface IdTokenLogin {
  readonly client: RegisteredClient
  readonly identifier: string
  readonly primary_key: string | null
  readonly provider: Provider
  readonly provider_user_id: string
  readonly nonce: string | null
  readonly auth_time: Date
  /** The claims of the granted scopes, only in the `id_token` flow (OpenID Connect Core 5.4), and what the client has by its settings. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** The access token that is issued together with the ID Token; absent in the `id_token` flow. */
  readonly access_token?: string
}

/** Signs an ID Token (OpenID Connect Core 2) with the algorithm that is registered for the client. */
export async function signIdToken(
  { signingKeys, names, auth_url }: Pick<Deps, 'signingKeys' | 'names' | 'auth_url'>,
  login: IdTokenLogin,
): Promise<string> {
  const { client, identifier, primary_key, provider, provider_user_id, nonce, auth_time, claims, access_token } = login
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
    ...(access_token !== undefined && { at_hash: hashAccessToken(access_token, alg) }),
    ...(primary_key !== null && { primary_key }),
    provider: names.wire(provider),
    provider_uid: provider_user_id,
  })
    .setProtectedHeader({ alg, kid })
    .sign(private_key)
}

/** `at_hash` (OpenID Connect Core 3.1.3.6): the left half of the hash of the access token, as base64url. */
function hashAccessToken(accessToken: string, alg: SigningAlgorithm): string {
  const digest = hash(signedHashes[alg], accessToken, 'buffer')
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
