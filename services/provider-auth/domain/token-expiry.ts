/**
 * A token that expires within this time counts as expired, because it still has to reach the customer and the provider.
 * Our choice.
 */
const expiryMarginSeconds = 60

/** Delay after a failed refresh: doubled with each further failure, up to the maximum. Our choice. */
const minRetryDelaySeconds = 30
const maxRetryDelaySeconds = 3_600

/** When a credential's tokens expire and when they may be refreshed. Nothing has to be decrypted for it. */
export interface TokenExpiry {
  readonly expires_at: Date | null
  readonly needs_reauth_at: Date | null
  readonly refresh_not_before: Date | null
}

export function isExpired({ expires_at }: Pick<TokenExpiry, 'expires_at'>, nowMs: number): boolean {
  return expires_at !== null && expires_at.getTime() - expiryMarginSeconds * 1_000 <= nowMs
}

/** Whether the tokens have to be refreshed before they are returned. */
export function isRefreshDue(credential: TokenExpiry, nowMs: number): boolean {
  const { needs_reauth_at, refresh_not_before } = credential
  if (!isExpired(credential, nowMs) || needs_reauth_at !== null) return false
  return refresh_not_before === null || refresh_not_before.getTime() <= nowMs
}

/**
 * The delay before the next refresh, in seconds.
 *
 * @param failedBefore number of consecutive failures before this one
 * @param random from 0 to 1; spreads the retries of credentials that failed at the same time
 */
export function getRefreshRetryDelay(failedBefore: number, random: number): number {
  const pause = Math.min(minRetryDelaySeconds * 2 ** Math.min(failedBefore, 16), maxRetryDelaySeconds)
  return pause * (0.75 + random / 4)
}
