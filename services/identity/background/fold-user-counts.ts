import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Logger } from '#runtime'
import { describeError } from '#runtime'
import { foldUserCounts, vacuumUserCountDeltas } from '../store/user-counts.ts'

// Our choices: a pass ends well within a statement's time, and readers seldom meet more than a second's deltas.
const deltas_per_pass = 4_000
const pause_ms = 500
const vacuum_after_deltas = 10_000

/** Folds user counts in every replica, one at a time, until disposed; a pass under way is finished first. */
export function startFoldingUserCounts({ knex, logger }: { knex: Knex; logger: Logger }): AsyncDisposable {
  const stop = new AbortController()
  const fold = async () => {
    let since_vacuum = 0
    while (!stop.signal.aborted) {
      let folded = 0
      try {
        folded = await foldUserCounts(knex, deltas_per_pass)
        since_vacuum += folded
        if (since_vacuum >= vacuum_after_deltas && folded < deltas_per_pass) {
          await vacuumUserCountDeltas(knex)
          since_vacuum = 0
        }
      } catch (error) {
        // Counts stay exact without folding, only slower to read; the next pass tries again.
        logger.warn({ error: describeError(error) }, 'user counts were not folded')
      }
      if (folded < deltas_per_pass) await delay(pause_ms, undefined, { signal: stop.signal }).catch(() => {})
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
