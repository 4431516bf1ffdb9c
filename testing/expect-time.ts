import { expect } from 'vitest'

/** Seconds of times in texts are rounded, and clocks of two programs differ. */
const toleranceMs = 3_000

/**
 * Runs what sets a time, and returns its result with an assertion: that the time is some milliseconds after it was set. It holds however
 * long the work takes.
 */
export async function setTime<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly expectAfter: (time: number | string | Date, ms: number) => void }> {
  const began = Date.now()
  const result = await work()
  const ended = Date.now()
  return {
    result,
    expectAfter(time, ms) {
      const at = new Date(time).getTime()
      expect(at).toBeGreaterThanOrEqual(began + ms - toleranceMs)
      expect(at).toBeLessThanOrEqual(ended + ms + toleranceMs)
    },
  }
}
