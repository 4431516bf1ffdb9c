import knex, { type Knex } from 'knex'
import pg from 'pg'
import type { Registry } from 'prom-client'
import { createGauge, type Logger } from '#runtime'
import { recordStatementMetrics } from './statement-metrics.ts'
import { traceStatements } from './trace.ts'

// Counts and sums: all of ours fit a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface Database extends AsyncDisposable {
  readonly knex: Knex
  /** Whether Postgres answered lately. */
  readonly usable: () => boolean
}

const checkEveryMs = 2_000

/** How long Postgres works for us, waits for a lock, and holds a transaction nobody goes on with. Our choice. */
const sessionLimits = { statement_timeout: 5_000, lock_timeout: 3_000, idle_in_transaction_session_timeout: 10_000 }

/** Opens a service's database. Statements are ended by Postgres after five seconds, so that none outlives its caller. */
export async function openDatabase(
  url: string,
  { name, logger, registry, pool_size = 10 }: { name: string; logger: Logger; registry?: Registry; pool_size?: number },
): Promise<Database> {
  const database = knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: name,
      ...sessionLimits,
    },
    pool: { min: 0, max: pool_size },
    acquireConnectionTimeout: 3_000,
    log: quietLog(logger),
  })
  traceStatements(database)
  try {
    await database.raw('select 1')
  } catch (error) {
    await database.destroy()
    throw error
  }
  let usable = true
  if (registry) {
    recordStatementMetrics(database, registry)
    createGauge(registry, 'sociallogin_database_usable', (gauge) => gauge.set(usable ? 1 : 0))
  }
  const check = async () => {
    const before = usable
    usable = await database.raw('select 1').then(
      () => true,
      () => false,
    )
    if (usable !== before) logger.warn({ usable }, 'Postgres changed its state')
  }
  const timer = setInterval(check, checkEveryMs).unref()
  return {
    knex: database,
    usable: () => usable,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await database.destroy()
    },
  }
}

/** knex's own remarks quote what Postgres said, values included: only that there was one is logged. */
function quietLog(logger: Logger): Knex.Logger {
  const remark = () => logger.warn('knex had a remark')
  return { warn: remark, error: remark, deprecate: () => {}, debug: () => {} }
}
