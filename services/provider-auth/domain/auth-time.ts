/** How recent an authorization request requires the authentication to be. */
export interface AuthTimeRequirement {
  /** `max_age` in seconds; null if any age is accepted. */
  readonly max_age: number | null
  /** The end user must authenticate again (`prompt=login`). */
  readonly reauthenticate: boolean
}

/**
 * Whether an authentication is recent enough. With `max_age` 0, even one of this moment is not, nor one that another server with
 * a faster clock recorded.
 */
export function isRecentEnough(
  authTimeMs: number,
  { max_age, reauthenticate }: AuthTimeRequirement,
  nowMs: number,
): boolean {
  return !reauthenticate && (max_age === null || Math.max(0, nowMs - authTimeMs) < max_age * 1_000)
}

/**
 * When the end user authenticated (OpenID Connect Core 2, `auth_time`). An end user who returns from the same provider
 * without having had to authenticate again did so at the time of the session, or earlier if the provider says so.
 *
 * @param providerAuthTime the provider's `auth_time`, if it sends one
 * @param sessionAuthTimeMs `auth_time` of a session of the same end user with the same provider
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
