import type { EncryptionContext } from '#runtime'

/** The encryption context of the token of the other cell. */
export function tokenContextOf(moveId: string): EncryptionContext {
  return ['site_moves', moveId]
}
