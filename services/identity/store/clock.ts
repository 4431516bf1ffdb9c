import type { Knex } from 'knex'

/**
 * Postgres' time, the common clock of all replicas. Read under a user's lock, it orders the user's changes.
 *
 * @param ageMs how long ago the change happened that is recorded now
 */
export async function readClock(trx: Knex.Transaction, ageMs = 0): Promise<Date> {
  const { rows } = await trx.raw<{ rows: [{ now: Date }] }>(
    'select clock_timestamp() - make_interval(secs => ?) as now',
    [ageMs / 1_000],
  )
  return rows[0].now
}
