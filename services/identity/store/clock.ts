import type { Knex } from 'knex'
import { defineStatement } from '#database'

/** The time of the transaction, for an update: a distributed table does not evaluate `now()` in a condition. */
export const clock = '(select now()) as clock (now)'

const selectTime = defineStatement<{ now: Date }>('select clock_timestamp() - make_interval(secs => $1) as now')

/**
 * Postgres' time, the common clock of all replicas. Read under a user's lock, it orders the user's changes.
 *
 * @param ageMs how long ago the change happened that is recorded now
 */
export async function readClock(trx: Knex.Transaction, ageMs = 0): Promise<Date> {
  const [row] = (await selectTime(trx, [ageMs / 1_000])).rows
  if (row === undefined) throw new Error('Postgres returned no time.')
  return row.now
}
