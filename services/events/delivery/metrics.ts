import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import type { StreamEvent } from '#contracts'
import { createCounter, createGauge, createHistogram, type Logger, repeatInBackground } from '#runtime'
import type { AttemptOutcome } from '#webhooks'
import { countEndpointsByState } from '../store/webhook-endpoints.ts'

const intervalMs = 15_000

/** Creates the function that counts attempts. */
export function createDeliveryMetrics(registry: Registry): (outcome: AttemptOutcome, event: StreamEvent) => void {
  const attempts = createCounter(registry, 'sociallogin_webhook_attempts_total')
  const durations = createHistogram(registry, 'sociallogin_webhook_attempt_duration_seconds')
  const delays = createHistogram(registry, 'sociallogin_webhook_delay_seconds')
  return ({ attempt, isDelivered }, { time }) => {
    const { status, error, duration_ms } = attempt
    attempts.inc({ outcome: error ?? (isDelivered ? 'delivered' : `http_${Math.floor((status ?? 0) / 100)}xx`) })
    durations.observe(duration_ms / 1_000)
    if (isDelivered) delays.observe(Math.max(0, (Date.now() - Date.parse(time)) / 1_000))
  }
}

/** Updates the metrics of all sites' endpoints, now and every 15 seconds until disposed. */
export function startEndpointMetrics({
  knex,
  registry,
  logger,
}: {
  readonly knex: Knex
  readonly registry: Registry
  readonly logger: Logger
}): Disposable {
  const endpoints = createGauge(registry, 'sociallogin_webhook_endpoints')
  const backlog = createGauge(registry, 'sociallogin_webhook_oldest_age_seconds')
  const count = async () => {
    const { states, oldestAgeSeconds } = await countEndpointsByState(knex)
    for (const [state, value] of Object.entries(states)) endpoints.set({ state }, value)
    backlog.set(oldestAgeSeconds)
  }
  return repeatInBackground(count, {
    intervalMs,
    logger,
    failure: 'endpoints of webhooks not counted; retrying in 15 seconds',
  })
}
