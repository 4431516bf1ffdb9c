import knex, { type Knex } from 'knex'
import pg from 'pg'
import type { Registry } from 'prom-client'
import { createGauge, type Logger } from '#runtime'
import { recordStatementMetrics } from './statement-metrics.ts'
import { traceStatements } from './trace.ts'

// All our counts and sums fit a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface Database extends AsyncDisposable {
  readonly knex: Knex
  /** Whether the last check of Postgres succeeded. */
  readonly usable: () => boolean
}

const checkIntervalMs = 2_000

/** Postgres' time limits in ms for a statement, for a lock, and for an idle transaction. Our choice. */
const sessionLimits = { statement_timeout: 5_000, lock_timeout: 3_000, idle_in_transaction_session_timeout: 10_000 }

/** Opens a service's database. Postgres cancels statements after five seconds, so that none outlives its caller. */
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
    log: createKnexLog(logger),
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
    if (usable !== before) logger.warn({ usable }, usable ? 'Postgres is available again' : 'Postgres is unavailable')
  }
  const timer = setInterval(check, checkIntervalMs).unref()
  return {
    knex: database,
    usable: () => usable,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await database.destroy()
    },
  }
}

/** Messages of knex can contain values, so only their occurrence is logged. */
function createKnexLog(logger: Logger): Knex.Logger {
  const logWarning = () => logger.warn('knex logged a warning, which is omitted because it can contain data')
  return { warn: logWarning, error: logWarning, deprecate: () => {}, debug: () => {} }
}
