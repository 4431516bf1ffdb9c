import type { CryptoKey, JSONWebKeySet } from 'jose'
import type { SigningAlgorithm } from './signing-algorithms.ts'

export interface SigningKey {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly private_key: CryptoKey
}

/** The signing keys that this process has in memory. */
export interface SigningKeys {
  /** The key that signs. */
  readonly active: (alg: SigningAlgorithm) => SigningKey
  /** Public keys that tokens may be signed with now or soon. */
  readonly published: () => JSONWebKeySet
  /** Also withdrawn keys, which still verify old tokens such as an `id_token_hint`. */
  readonly known: () => JSONWebKeySet
}
