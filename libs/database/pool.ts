import knex, { type Knex } from 'knex'
import type pg from 'pg'
import type { Logger } from '#runtime'
import { closeIfIdle } from './guard-connection.ts'
import type { Execution } from './run-statement.ts'
import { traceStatements } from './trace.ts'

interface PoolOptions {
  /** Called for each new connection, which is replaced when `isCurrent` is false. */
  readonly connect: () => { readonly config: Knex.PgConnectionConfig; readonly isCurrent: () => boolean }
  /** Called for each new connection. */
  readonly prepare: (client: pg.Client) => void
  readonly connections: number
  readonly acquireTimeoutMs: number
  readonly execution: Execution
  readonly logger: Logger
}

/** A pool of connections for knex. It opens them when they are needed. */
export interface Pool {
  readonly knex: Knex
  /** Closes connections without a statement or transaction in progress. */
  readonly closeIdle: () => void
}

export function createPool({ connect, prepare, connections, acquireTimeoutMs, execution, logger }: PoolOptions): Pool {
  const pooled = new Set<pg.Client>()
  const database = knex({
    client: 'pg',
    connection() {
      const { config, isCurrent } = connect()
      return { ...config, expirationChecker: () => !isCurrent() }
    },
    pool: {
      min: 0,
      max: connections,
      afterCreate(client: pg.Client, done: (error: Error | undefined, client: pg.Client) => void) {
        prepare(client)
        pooled.add(client)
        client.once('end', () => pooled.delete(client))
        done(undefined, client)
      },
    },
    acquireConnectionTimeout: acquireTimeoutMs,
    log: createKnexLog(logger),
  })
  database.userParams = { execution }
  traceStatements(database)
  return {
    knex: database,
    closeIdle() {
      for (const client of pooled) closeIfIdle(client)
    },
  }
}

/** Messages of knex can contain values, so only their occurrence is logged. */
function createKnexLog(logger: Logger): Knex.Logger {
  const logWarning = () => logger.warn('knex logged a warning, which is omitted because it can contain data')
  return { warn: logWarning, error: logWarning, deprecate: () => {}, debug: () => {} }
}
