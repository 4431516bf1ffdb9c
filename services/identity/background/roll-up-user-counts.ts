import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Logger } from '#runtime'
import { describeError } from '#runtime'
import { rollUpUserCounts, vacuumUserCountDeltas } from '../store/user-counts.ts'

// Our choices: a pass stays well below the statement timeout. Passes take a tenth of the time, because many deltas at once
// change fewer cells: readers usually find the deltas of half a second, and those of some seconds during an import.
const deltasPerPass = 10_000
const leastPauseMs = 500
const pausePerPassTime = 9
const vacuumAfterDeltas = 10_000

/** Rolls up user counts until disposed, which finishes a running pass. Every replica runs it; only one at a time works. */
export function startUserCountRollup({ knex, logger }: { knex: Knex; logger: Logger }): AsyncDisposable {
  const stop = new AbortController()
  const rollUp = async () => {
    let processedSinceVacuum = 0
    while (!stop.signal.aborted) {
      let processed = 0
      const startedAt = performance.now()
      try {
        processed = await rollUpUserCounts(knex, deltasPerPass)
        processedSinceVacuum += processed
        if (processedSinceVacuum >= vacuumAfterDeltas && processed < deltasPerPass) {
          await vacuumUserCountDeltas(knex)
          processedSinceVacuum = 0
        }
      } catch (error) {
        // Without the roll-up, counts stay exact but are slower to read. The next pass retries.
        logger.warn({ error: describeError(error) }, 'user counts not rolled up; retrying')
      }
      const pauseMs = Math.max(leastPauseMs, pausePerPassTime * (performance.now() - startedAt))
      if (processed < deltasPerPass) await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const ended = rollUp()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
    },
  }
}
