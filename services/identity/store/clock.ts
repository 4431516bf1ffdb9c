import type { Knex } from 'knex'

/** Postgres' time, the one clock of all replicas: read under a user's lock it orders what happens to that user. */
export async function readClock(trx: Knex.Transaction): Promise<Date> {
  const { rows } = await trx.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now')
  return rows[0].now
}
