/**
 * `unknown_key`: the value can be decrypted only with a key that is not in the ring. `damaged`: the value was changed,
 * truncated or moved, and is lost.
 */
export type DecryptionFailure = 'unknown_key' | 'damaged'

/** An encrypted value cannot be decrypted. The error contains nothing of the value. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError'
  readonly failure: DecryptionFailure

  constructor(by: DecryptionFailure, detail: string, options?: ErrorOptions) {
    super(`An encrypted value cannot be decrypted: ${detail}.`, options)
    this.failure = by
  }
}
