import { z } from 'zod'

/** A provider's claims about an end user, by the provider's own names. */
export const Claims = z.record(z.string(), z.unknown())
export type Claims = Readonly<z.infer<typeof Claims>>

/**
 * Omits the claims that bind an ID Token to a login. They are derived from secrets of the login and say nothing about
 * the end user.
 */
export function omitProtocolClaims({ nonce: _, at_hash: __, c_hash: ___, ...claims }: Claims): Claims {
  return claims
}
