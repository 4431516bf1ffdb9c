import type { Knex } from 'knex'
import pg from 'pg'
import type { Registry } from 'prom-client'
import {
  ConfigError,
  createGauge,
  type DatabaseConfig,
  type Logger,
  listPostgresServers,
  openPatiently,
  splitPostgresUrl,
  UnusableServerError,
} from '#runtime'
import { createAvailabilityCheck } from './availability.ts'
import { recordConnectionMetrics } from './connection-metrics.ts'
import { hasDistributedTables } from './distribution.ts'
import { guardConnection, type UnwritableReason } from './guard-connection.ts'
import { createOpeningSockets } from './opening-sockets.ts'
import { createPool } from './pool.ts'
import { createReader, type Reader } from './reader.ts'
import { requireSessionLimits, sessionLimits } from './session-limits.ts'
import { createStatementRecorder, recordStatementMetrics } from './statement-metrics.ts'

// All our counts and sums fit a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface Database extends AsyncDisposable {
  readonly knex: Knex
  /** For look-ups outside of transactions. */
  readonly reader: Reader
  /** Whether Postgres can be reached and can write, by the last check. */
  readonly usable: () => boolean
}

const checkIntervalMs = 2_000

/** A server that is silent for so long during a statement is cut off: its own limit ended the statement before. */
const silenceMs = sessionLimits.statement_timeout + 1_000
/** How long a request waits for a connection. Our choice: a second less than a call between services lasts. */
const acquireTimeoutMs = 4_000
/**
 * Time limit for opening a connection. Our choice: longer than requests wait, because on a busy machine a connection that is given up
 * would be opened again and again, and never be ready.
 */
const connectTimeoutMs = 10_000
/** After Postgres rejected a write because it is read-only or its disk is full, it counts as unusable for so long. Our choice. */
const unwritableMs = 10_000

/** Connections for look-ups. Our choice: each of them keeps a core of Postgres busy. */
const readerConnections = 3

/**
 * Opens a service's database, with 13 connections: nine of the pool, three for look-ups, and one that checks whether Postgres is
 * available. Postgres cancels statements after five seconds, so that none outlives its caller. Of several servers, connections
 * are opened to the primary.
 *
 * @throws UnusableServerError if the first connection fails; ConfigError if its session has no time limits
 */
export async function openDatabase(
  { DATABASE_URL, DATABASE_PREPARED_STATEMENTS: isPrepared = true }: DatabaseConfig,
  { name, logger, registry, pool_size = 9 }: { name: string; logger: Logger; registry?: Registry; pool_size?: number },
): Promise<Database> {
  const urls = splitPostgresUrl(DATABASE_URL)
  let unwritableUntil = 0
  const onUnwritable = (reason: UnwritableReason) => {
    // Of several servers, the check finds the one that can write.
    if (reason === 'disk full' || urls.length === 1) unwritableUntil = performance.now() + unwritableMs
  }
  const connection = {
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
    ...sessionLimits,
  }
  const guard = (client: pg.Client) => guardConnection(client, { silenceMs, onUnwritable })
  const execution = { recorder: createStatementRecorder(registry), isPrepared }
  const opening = createOpeningSockets()
  // Those that were idle during an outage may be dead, and those that it kept from opening will not open.
  const availability = createAvailabilityCheck({ urls, name }, () => {
    logger.warn('a connection to Postgres failed; idle connections are closed')
    reader.renew()
    pool.closeIdle()
    void opening.close()
  })
  const reader = createReader({
    config: () => ({ ...connection, connectionString: availability.findUrl() }),
    prepare: guard,
    execution,
    connections: readerConnections,
  })
  const pool = createPool({
    connect() {
      const url = availability.findUrl()
      return {
        config: { ...connection, connectionString: url, stream: opening.create },
        isCurrent: () => url === availability.findUrl(),
      }
    },
    prepare: guard,
    connections: pool_size,
    acquireTimeoutMs,
    execution,
    logger,
  })
  const database = pool.knex
  const close = async () => {
    await availability[Symbol.asyncDispose]()
    await reader[Symbol.asyncDispose]()
    await database.destroy()
  }
  let usable = true
  try {
    if (urls.length > 1) usable = await availability.isWritable()
    await openPatiently('Postgres', () => requireSessionLimits(database), logger)
    database.userParams = { execution, isDistributed: await hasDistributedTables(database) }
  } catch (error) {
    await close()
    if (error instanceof ConfigError) throw error
    throw new UnusableServerError('Postgres', listPostgresServers(urls), error)
  }
  if (registry) {
    recordStatementMetrics(database, registry)
    recordConnectionMetrics(database, reader, registry)
    createGauge(registry, 'sociallogin_database_usable', (gauge) => gauge.set(usable ? 1 : 0))
  }
  let isClosed = false
  const check = async () => {
    const before = usable
    const isUsable = (await availability.isWritable()) && performance.now() > unwritableUntil
    if (isClosed) return
    // They may be those of a primary that became a standby.
    if (!isUsable) reader.disconnect()
    if (isUsable && !before) await opening.close()
    usable = isUsable
    if (usable !== before) logger.warn({ usable }, usable ? 'Postgres is available again' : 'Postgres is unavailable')
    if (!isClosed) timer.refresh()
  }
  const timer = setTimeout(check, checkIntervalMs).unref()
  return {
    knex: database,
    reader,
    usable: () => usable,
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await close()
    },
  }
}
