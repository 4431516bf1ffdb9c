/** A token that ends within so many seconds counts as ended: it has to reach the customer and the provider. Our choice. */
const marginSeconds = 60

/** Pauses after renewals that failed: the first, doubled with every further one, up to the longest. Our choice. */
const firstPauseSeconds = 30
const longestPauseSeconds = 3_600

/** What is known of a credential's tokens without looking at them. */
export interface Freshness {
  readonly expires_at: Date | null
  readonly needs_reauth_at: Date | null
  readonly renew_not_before: Date | null
}

export function isExpired({ expires_at }: Pick<Freshness, 'expires_at'>, nowMs: number): boolean {
  return expires_at !== null && expires_at.getTime() - marginSeconds * 1_000 <= nowMs
}

/** Whether the provider is to be asked for new tokens before these are handed out. */
export function isRenewalDue(credential: Freshness, nowMs: number): boolean {
  const { needs_reauth_at, renew_not_before } = credential
  if (!isExpired(credential, nowMs) || needs_reauth_at !== null) return false
  return renew_not_before === null || renew_not_before.getTime() <= nowMs
}

/**
 * How long to leave a provider alone after a renewal that failed.
 *
 * @param failedBefore how often in a row it had failed already
 * @param random from 0 to 1, so that those who failed together do not come back together
 */
export function pauseAfterFailure(failedBefore: number, random: number): number {
  const pause = Math.min(firstPauseSeconds * 2 ** Math.min(failedBefore, 16), longestPauseSeconds)
  return pause * (0.75 + random / 4)
}
