const [second, minute, hour] = [1, 60, 3_600]

/** Pauses between the attempts of a delivery: three days in all. Our choice. */
const pausesSeconds = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  ...[1, 2, 4, 8, 16, 16, 24].map((hours) => hours * hour),
]

/** The longest pause that a receiver can ask for. Our choice. */
const longestPauseSeconds = 24 * hour

/**
 * Seconds until the next attempt, up to a tenth more so that receivers that were unavailable do not get everything at once.
 * A longer `Retry-After` of the receiver is respected (RFC 9110, section 10.2.3).
 *
 * @param attempts that failed, at least 1
 * @returns undefined after the last attempt
 */
export function findRetryPause(
  attempts: number,
  { retryAfterSeconds = 0, random = Math.random() } = {},
): number | undefined {
  const pause = pausesSeconds[attempts - 1]
  return pause && Math.max(pause, Math.min(retryAfterSeconds, longestPauseSeconds)) * (1 + random / 10)
}
