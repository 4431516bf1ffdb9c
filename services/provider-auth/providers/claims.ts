import { z } from 'zod'

/** What a provider told of a person, by its own names. */
export const Claims = z.record(z.string(), z.unknown())
export type Claims = Readonly<z.infer<typeof Claims>>

/** Without what an ID Token has to prove that it belongs to a login: made of the login's secrets, it tells nothing of the person. */
export function omitProtocolClaims({ nonce: _, at_hash: __, c_hash: ___, ...claims }: Claims): Claims {
  return claims
}
