import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createGauge, type Logger, repeatInBackground } from '#runtime'

const intervalMs = 15_000

/** Counts a database's pending events for the metrics, now and regularly until disposed. */
export function startEventMetrics({
  logger,
  registry,
  knex,
}: {
  readonly logger: Logger
  readonly registry: Registry
  readonly knex: Knex
}): Disposable {
  const pending = createGauge(registry, 'sociallogin_events_pending')
  const oldestAge = createGauge(registry, 'sociallogin_events_oldest_age_seconds')
  const count = async () => {
    const { rows } = await knex.raw<{ rows: { pending: number; oldest_age: number | null }[] }>(
      `select count(*) as pending, extract(epoch from clock_timestamp() - min(created_at))::float8 as oldest_age
       from pending_events`,
    )
    pending.set(rows[0]?.pending ?? 0)
    oldestAge.set(rows[0]?.oldest_age ?? 0)
  }
  return repeatInBackground(count, { intervalMs, logger, failure: 'pending events not counted; retrying' })
}
