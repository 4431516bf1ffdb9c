import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createCounter, createGauge, createHistogram } from '#runtime'

/** What knex lets one see of its pool (tarn), which its types leave open. */
interface Pool {
  readonly max: number
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: 'acquireFail', react: () => void): void
}

/** What knex tells of a statement; a connection works on one at a time. */
interface Statement {
  readonly __knexUid: string
  readonly sql?: string
}

const operations = new Set(['select', 'insert', 'update', 'delete', 'with'])
const transactional = new Set(['begin', 'commit', 'rollback', 'savepoint', 'release', 'set'])

/** Measures every statement and the pool of connections. */
export function recordStatementMetrics(knex: Knex, registry: Registry): void {
  const durations = createHistogram(registry, 'db_client_operation_duration_seconds')
  const began = new Map<string, number>()
  const end = ({ __knexUid: connection, sql }: Statement, outcome: 'ok' | 'error') => {
    const beganAt = began.get(connection)
    if (beganAt === undefined) return
    began.delete(connection)
    durations.observe({ db_operation_name: operationOf(sql), outcome }, (performance.now() - beganAt) / 1_000)
  }
  knex.on('query', ({ __knexUid }: Statement) => began.set(__knexUid, performance.now()))
  knex.on('query-response', (_answer, told: Statement) => end(told, 'ok'))
  knex.on('query-error', (_error, told: Statement) => end(told, 'error'))

  // `client` is any in knex's types; the pool is tarn's, of which this is a part.
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

/** The statement's first word, of a few. */
function operationOf(sql = ''): string {
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? ''
  if (operations.has(word)) return word
  return transactional.has(word) ? 'transaction' : 'other'
}
