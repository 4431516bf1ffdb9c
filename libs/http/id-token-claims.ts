/** Tolerated difference between our clock and the OpenID Provider's. Our choice. */
export const clockToleranceSeconds = 60

/** At most 255 ASCII characters (OpenID Connect Core 2). */
const subForm = /^[\x21-\x7e]{1,255}$/

/** Values that a defective provider sends for a missing subject. Accepting them would make all its users one. */
const missingValues: ReadonlySet<string> = new Set(['null', 'undefined', 'nil', 'none', 'nan', '0'])

/**
 * Validates the claims that jose and openid-client leave to their callers: the authorized party, the issue time, and the
 * format of the subject (OpenID Connect Core 2 and 3.1.3.7, steps 5 and 10).
 *
 * @param toleranceSeconds for `iat`
 * @throws Error that names the claim; it contains no value of the token
 */
export function checkIdTokenClaims(
  { azp, iat, sub }: { readonly azp?: unknown; readonly iat?: unknown; readonly sub?: unknown },
  clientId: string,
  toleranceSeconds: number = clockToleranceSeconds,
): void {
  if (azp !== undefined && azp !== clientId) throw new Error('The ID Token was issued to another client (azp).')
  if (typeof iat !== 'number' || iat > Date.now() / 1_000 + toleranceSeconds)
    throw new Error('The ID Token was issued in the future (iat).')
  if (typeof sub !== 'string' || !subForm.test(sub) || missingValues.has(sub.toLowerCase()))
    throw new Error('The ID Token does not identify a user (sub).')
}
