import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createCounter, createGauge } from '#runtime'
import type { ReaderConnections } from './reader.ts'

/** The part of knex's connection pool (tarn) that is used here; knex does not type it. */
interface Pool {
  readonly max: number
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: 'acquireFail', react: () => void): void
}

/** Measures the pool of connections, and the connections for look-ups. */
export function recordConnectionMetrics(
  knex: Knex,
  reader: Pick<ReaderConnections, 'countOpen' | 'countWaiting'>,
  registry: Registry,
): void {
  // `client` is any in knex's types.
  const pool: Pool = knex.client.pool
  createGauge(registry, 'db_client_connection_count', (gauge) => {
    gauge.set({ state: 'used' }, pool.numUsed())
    gauge.set({ state: 'idle' }, pool.numFree())
    gauge.set({ state: 'look_ups' }, reader.countOpen())
  })
  createGauge(registry, 'db_client_connection_max').set(pool.max)
  createGauge(registry, 'db_client_connection_pending_requests', (gauge) =>
    gauge.set(pool.numPendingAcquires() + reader.countWaiting()),
  )
  const timeouts = createCounter(registry, 'db_client_connection_timeouts_total')
  pool.on('acquireFail', () => timeouts.inc())
}
