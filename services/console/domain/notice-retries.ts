const [minute, hour] = [60, 3_600]

/** Pauses between the attempts of a message: about two days in all. Our choice. */
const pausesSeconds = [minute, 5 * minute, 15 * minute, hour, 4 * hour, 12 * hour, 24 * hour]

/** Returns seconds until the next attempt after so many; undefined after the last one. */
export function findNoticePause(attempts: number): number | undefined {
  return pausesSeconds[attempts - 1]
}
