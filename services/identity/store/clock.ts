import type { Knex } from 'knex'

/** Postgres' time, the common clock of all replicas. Read under a user's lock, it orders the user's changes. */
export async function readClock(trx: Knex.Transaction): Promise<Date> {
  const { rows } = await trx.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now')
  return rows[0].now
}
