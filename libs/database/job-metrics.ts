import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createGauge, type Logger, repeatInBackground } from '#runtime'

const intervalMs = 15_000

interface JobCounts {
  readonly task: string
  readonly pending: number
  readonly oldest_age: number
}

/** Counts a database's pending jobs for the metrics, now and regularly until disposed. */
export function startJobMetrics(
  tasks: readonly string[],
  { logger, registry, knex }: { readonly logger: Logger; readonly registry: Registry; readonly knex: Knex },
): Disposable {
  const pending = createGauge(registry, 'sociallogin_outbox_pending')
  const oldestAge = createGauge(registry, 'sociallogin_outbox_oldest_age_seconds')
  const count = async () => {
    const { rows } = await knex.raw<{ rows: JobCounts[] }>(`
      select task, count(*) as pending, extract(epoch from now() - min(created_at))::float8 as oldest_age
      from jobs group by 1`)
    const rowsByTask = new Map(rows.map((row) => [row.task, row]))
    for (const task of tasks) {
      const counted = rowsByTask.get(task)
      pending.set({ task }, counted?.pending ?? 0)
      oldestAge.set({ task }, counted?.oldest_age ?? 0)
    }
  }
  return repeatInBackground(count, { intervalMs, logger, failure: 'pending jobs not counted; retrying' })
}
