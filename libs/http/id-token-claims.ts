/** Clocks of an OpenID Provider and ours may differ by this much. Our choice. */
export const clock_tolerance_seconds = 60

/** At most 255 ASCII characters (OpenID Connect Core 2). */
const sub_form = /^[\x21-\x7e]{1,255}$/

/** What a defective provider sends instead of a missing subject: all its users would become one. */
const missing_values: ReadonlySet<string> = new Set(['null', 'undefined', 'nil', 'none', 'nan', '0'])

/**
 * Checks what jose and openid-client leave to their callers: the authorized party, an issue time in the future, and whether
 * the subject can be one (OpenID Connect Core 2 and 3.1.3.7, steps 5 and 10).
 *
 * @throws Error that names the claim; it contains no value of the token
 */
export function checkIdTokenClaims(
  { azp, iat, sub }: { readonly azp?: unknown; readonly iat?: unknown; readonly sub?: unknown },
  client_id: string,
): void {
  if (azp !== undefined && azp !== client_id) throw new Error('The ID Token was issued to another client (azp).')
  if (typeof iat !== 'number' || iat > Date.now() / 1_000 + clock_tolerance_seconds)
    throw new Error('The ID Token was issued in the future (iat).')
  if (typeof sub !== 'string' || !sub_form.test(sub) || missing_values.has(sub.toLowerCase()))
    throw new Error('The ID Token does not identify a user (sub).')
}
