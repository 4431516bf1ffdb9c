import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createCounter, createGauge, createHistogram, type SpanDescription, startSpan } from '#runtime'
import { failureOf } from './trace.ts'

/** The part of knex's connection pool (tarn) that is used here; knex does not type it. */
interface Pool {
  readonly max: number
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: 'acquireFail', react: () => void): void
}

/** A statement in knex's events. A connection runs one at a time. */
interface KnexStatement {
  readonly __knexUid: string
  readonly sql?: string
}

const operations = new Set(['select', 'insert', 'update', 'delete', 'with'])
const transactional = new Set(['begin', 'commit', 'rollback', 'savepoint', 'release', 'set'])

/** What metrics and traces show of a defined statement. */
export interface MeasuredStatement {
  /** The label of its metric. */
  readonly operation: string
  readonly span: SpanDescription
}

/** Starts to measure and trace a defined statement. The returned function ends it. */
export type StatementRecorder = (statement: MeasuredStatement) => (error: unknown) => void

export function createStatementRecorder(registry: Registry | undefined): StatementRecorder {
  const durations = registry && createHistogram(registry, 'db_client_operation_duration_seconds')
  return ({ operation, span: description }) => {
    const startedAt = performance.now()
    const span = startSpan(description)
    return (error) => {
      const outcome = error === undefined ? 'ok' : 'error'
      durations?.observe({ db_operation_name: operation, outcome }, (performance.now() - startedAt) / 1_000)
      if (error !== undefined) span?.fail(failureOf(error))
      span?.end()
    }
  }
}

/** Measures the statements that knex builds, and the pool of connections. */
export function recordStatementMetrics(knex: Knex, registry: Registry): void {
  const durations = createHistogram(registry, 'db_client_operation_duration_seconds')
  const startedAtByConnection = new Map<string, number>()
  const end = ({ __knexUid: connection, sql }: KnexStatement, outcome: 'ok' | 'error') => {
    const startedAt = startedAtByConnection.get(connection)
    if (startedAt === undefined) return
    startedAtByConnection.delete(connection)
    durations.observe({ db_operation_name: operationOf(sql), outcome }, (performance.now() - startedAt) / 1_000)
  }
  knex.on('query', ({ __knexUid }: KnexStatement) => startedAtByConnection.set(__knexUid, performance.now()))
  knex.on('query-response', (_answer, statement: KnexStatement) => end(statement, 'ok'))
  knex.on('query-error', (_error, statement: KnexStatement) => end(statement, 'error'))

  // `client` is any in knex's types.
  const pool: Pool = knex.client.pool
  createGauge(registry, 'db_client_connection_count', (gauge) => {
    gauge.set({ state: 'used' }, pool.numUsed())
    gauge.set({ state: 'idle' }, pool.numFree())
  })
  createGauge(registry, 'db_client_connection_max').set(pool.max)
  createGauge(registry, 'db_client_connection_pending_requests', (gauge) => gauge.set(pool.numPendingAcquires()))
  const timeouts = createCounter(registry, 'db_client_connection_timeouts_total')
  pool.on('acquireFail', () => timeouts.inc())
}

/** Returns the first word of the statement, if it is a common one. */
export function operationOf(sql = ''): string {
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? ''
  if (operations.has(word)) return word
  return transactional.has(word) ? 'transaction' : 'other'
}
