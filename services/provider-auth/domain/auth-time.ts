/** What an authorization request says of how fresh the authentication has to be. */
export interface AuthTimeRequirement {
  /** `max_age` in seconds; null: any. */
  readonly max_age: number | null
  /** The person was to authenticate again (`prompt=login`). */
  readonly reauthenticate: boolean
}

/** Whether an authentication is recent enough. One of just now is too old for a `max_age` of 0. */
export function isRecentEnough(
  authTimeMs: number,
  { max_age, reauthenticate }: AuthTimeRequirement,
  nowMs: number,
): boolean {
  return !reauthenticate && (max_age === null || nowMs - authTimeMs < max_age * 1_000)
}

/**
 * When the person of a login authenticated (OpenID Connect Core 2, `auth_time`). Who comes back through the same provider
 * without having had to authenticate again did so when the session says, or earlier, if the provider says that.
 *
 * @param told what the provider says, if it says anything
 * @param remembered `auth_time` of a session of the same person through the same provider
 */
export function resolveAuthTime(
  providerAuthTime: Date | undefined,
  sessionAuthTimeMs: number | undefined,
  freshness: AuthTimeRequirement,
  nowMs: number,
): number {
  const latest = providerAuthTime?.getTime() ?? nowMs
  if (sessionAuthTimeMs === undefined || !isRecentEnough(sessionAuthTimeMs, freshness, nowMs)) return latest
  return Math.min(sessionAuthTimeMs, latest)
}
