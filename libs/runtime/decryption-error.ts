/** `unknown_key`: locked until the key is back in the ring. `damaged`: changed, cut off or moved; it never opens again. */
export type DecryptionFailure = 'unknown_key' | 'damaged'

/** A encrypted value that does not open. It carries nothing of the value. */
export class DecryptionError extends Error {
  readonly by: DecryptionFailure

  constructor(by: DecryptionFailure, detail: string, options?: ErrorOptions) {
    super(`A encrypted value cannot be opened: ${detail}.`, options)
    this.name = 'DecryptionError'
    this.by = by
  }
}
