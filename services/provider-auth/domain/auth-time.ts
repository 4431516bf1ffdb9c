/** What an authorization request says of how fresh the authentication has to be. */
export interface Freshness {
  /** `max_age` in seconds; null: any. */
  readonly max_age: number | null
  /** The person was to authenticate again (`prompt=login`). */
  readonly reauthenticate: boolean
}

/** Whether an authentication is recent enough. One of just now is too old for a `max_age` of 0. */
export function isFresh(auth_time_ms: number, { max_age, reauthenticate }: Freshness, now_ms: number): boolean {
  return !reauthenticate && (max_age === null || now_ms - auth_time_ms < max_age * 1_000)
}

/**
 * When the person of a login authenticated (OpenID Connect Core 2, `auth_time`). Who comes back through the same provider
 * without having had to authenticate again did so when the session says, or earlier, if the provider says that.
 *
 * @param told what the provider says, if it says anything
 * @param remembered `auth_time` of a session of the same person through the same provider
 */
export function authTimeOf(
  told: Date | undefined,
  remembered: number | undefined,
  freshness: Freshness,
  now_ms: number,
): number {
  const latest = told?.getTime() ?? now_ms
  if (remembered === undefined || !isFresh(remembered, freshness, now_ms)) return latest
  return Math.min(remembered, latest)
}
