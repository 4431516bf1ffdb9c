import { setTimeout as delay } from 'node:timers/promises'

/** By how much the clock of a hostile run can step back: less than the clocks of several machines may differ. */
export const mostStepMs = 2_000

/**
 * Waits until every time that is read later is after every time that was read before. For tests of what the services order by
 * their clocks, such as a deletion of data and a login after it. Without a hostile machine, clocks do not step back.
 */
export async function passClockSteps(): Promise<void> {
  if (process.env.HOSTILE_MACHINE_SEED !== undefined) await delay(mostStepMs)
}
