import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { auditStreamKinds } from '#admin-api'
import { createCounter, createGauge, type Logger, repeatInBackground } from '#runtime'
import { measureAuditStreams } from '../store/audit-stream-metrics.ts'
import type { BatchDeps } from './send-batch.ts'

const intervalMs = 15_000

/** Creates the function that counts sent records and failures. */
export function createStreamMetrics(registry: Registry): BatchDeps['recordResult'] {
  const records = createCounter(registry, 'sociallogin_audit_stream_records_total')
  const failures = createCounter(registry, 'sociallogin_audit_stream_failures_total')
  return ({ kind }, { received, failure }) => {
    records.inc({ kind }, received)
    if (failure !== null) failures.inc({ kind, error: failure.error })
  }
}

/** Updates the metrics of all enabled streams, now and every 15 seconds until disposed. */
export function startStreamMetrics({
  knex,
  registry,
  logger,
}: {
  readonly knex: Knex
  readonly registry: Registry
  readonly logger: Logger
}): Disposable {
  const backlog = createGauge(registry, 'sociallogin_audit_stream_backlog')
  const oldestAge = createGauge(registry, 'sociallogin_audit_stream_oldest_age_seconds')
  const measure = async () => {
    const measured = await measureAuditStreams(knex)
    for (const scope of ['account', 'installation'] as const)
      for (const kind of auditStreamKinds)
        for (const state of ['sending', 'failing'] as const) {
          const found = measured.find((row) => row.scope === scope && row.kind === kind && row.state === state)
          backlog.set({ scope, kind, state }, found?.backlog ?? 0)
          oldestAge.set({ scope, kind, state }, Math.max(0, found?.oldest_age ?? 0))
        }
  }
  const failure = 'audit streams not measured; retrying in 15 seconds'
  return repeatInBackground(measure, { intervalMs, logger, failure })
}
