import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Logger } from '#runtime'
import { describeError } from '#runtime'
import { rollUpUserCounts, vacuumUserCountDeltas } from '../store/user-counts.ts'

// Our choices: a pass ends well within a statement's time, and readers seldom meet more than a second's deltas.
const deltasPerPass = 4_000
const pauseMs = 500
const vacuumAfterDeltas = 10_000

/** Folds user counts in every replica, one at a time, until disposed; a pass under way is finished first. */
export function startUserCountRollup({ knex, logger }: { knex: Knex; logger: Logger }): AsyncDisposable {
  const stop = new AbortController()
  const rollUp = async () => {
    let processedSinceVacuum = 0
    while (!stop.signal.aborted) {
      let processed = 0
      try {
        processed = await rollUpUserCounts(knex, deltasPerPass)
        processedSinceVacuum += processed
        if (processedSinceVacuum >= vacuumAfterDeltas && processed < deltasPerPass) {
          await vacuumUserCountDeltas(knex)
          processedSinceVacuum = 0
        }
      } catch (error) {
        // Counts stay exact without folding, only slower to read; the next pass tries again.
        logger.warn({ error: describeError(error) }, 'user counts were not folded')
      }
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
