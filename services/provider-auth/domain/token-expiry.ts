/** A token that ends within so many seconds counts as ended: it has to reach the customer and the provider. Our choice. */
const expiryMarginSeconds = 60

/** Pauses after renewals that failed: the first, doubled with every further one, up to the longest. Our choice. */
const minRetryDelaySeconds = 30
const maxRetryDelaySeconds = 3_600

/** What is known of a credential's tokens without looking at them. */
export interface TokenExpiry {
  readonly expires_at: Date | null
  readonly needs_reauth_at: Date | null
  readonly refresh_not_before: Date | null
}

export function isExpired({ expires_at }: Pick<TokenExpiry, 'expires_at'>, nowMs: number): boolean {
  return expires_at !== null && expires_at.getTime() - expiryMarginSeconds * 1_000 <= nowMs
}

/** Whether the provider is to be asked for new tokens before these are handed out. */
export function isRefreshDue(credential: TokenExpiry, nowMs: number): boolean {
  const { needs_reauth_at, refresh_not_before } = credential
  if (!isExpired(credential, nowMs) || needs_reauth_at !== null) return false
  return refresh_not_before === null || refresh_not_before.getTime() <= nowMs
}

/**
 * How long to leave a provider alone after a renewal that failed.
 *
 * @param failedBefore how often in a row it had failed already
 * @param random from 0 to 1, so that those who failed together do not come back together
 */
export function getRefreshRetryDelay(failedBefore: number, random: number): number {
  const pause = Math.min(minRetryDelaySeconds * 2 ** Math.min(failedBefore, 16), maxRetryDelaySeconds)
  return pause * (0.75 + random / 4)
}
