import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Logger } from '#runtime'
import { describeError } from '#runtime'
import { foldUserCounts, vacuumUserCountDeltas } from '../store/user-counts.ts'

// Our choices: a pass ends well within a statement's time, and readers seldom meet more than a second's deltas.
const deltasPerPass = 4_000
const pauseMs = 500
const vacuumAfterDeltas = 10_000

/** Folds user counts in every replica, one at a time, until disposed; a pass under way is finished first. */
export function startFoldingUserCounts({ knex, logger }: { knex: Knex; logger: Logger }): AsyncDisposable {
  const stop = new AbortController()
  const fold = async () => {
    let sinceVacuum = 0
    while (!stop.signal.aborted) {
      let folded = 0
      try {
        folded = await foldUserCounts(knex, deltasPerPass)
        sinceVacuum += folded
        if (sinceVacuum >= vacuumAfterDeltas && folded < deltasPerPass) {
          await vacuumUserCountDeltas(knex)
          sinceVacuum = 0
        }
      } catch (error) {
        // Counts stay exact without folding, only slower to read; the next pass tries again.
        logger.warn({ error: describeError(error) }, 'user counts were not folded')
      }
      if (folded < deltasPerPass) await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const ended = fold()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
    },
  }
}
