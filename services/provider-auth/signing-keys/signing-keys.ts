import type { CryptoKey, JSONWebKeySet } from 'jose'
import type { SigningAlgorithm } from '../domain/signing-algorithms.ts'

export interface SigningKey {
  readonly kid: string
  readonly alg: SigningAlgorithm
  readonly private_key: CryptoKey
}

/** The deployment's signing keys as this process has them in memory. */
export interface SigningKeys {
  /** The key that signs. */
  readonly active: (alg: SigningAlgorithm) => SigningKey
  /** Public parts of every key a token may have been signed with, or will be soon. */
  readonly published: () => JSONWebKeySet
  /** Those, and the ones that served before: whom an old token was about can still be told. */
  readonly known: () => JSONWebKeySet
}
