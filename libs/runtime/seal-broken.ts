/** `unknown_key`: locked until the key is back in the ring. `damaged`: changed, cut off or moved; it never opens again. */
export type BrokenBy = 'unknown_key' | 'damaged'

/** A sealed value that does not open. It carries nothing of the value. */
export class SealBroken extends Error {
  readonly by: BrokenBy

  constructor(by: BrokenBy, detail: string, options?: ErrorOptions) {
    super(`A sealed value cannot be opened: ${detail}.`, options)
    this.name = 'SealBroken'
    this.by = by
  }
}
