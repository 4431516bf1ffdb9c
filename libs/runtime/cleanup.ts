import type { Registry } from 'prom-client'
import type { Logger } from './logger.ts'
import { createGauge } from './metrics/create.ts'

const defaultIntervalMs = 60_000

/**
 * Deletes expired data regularly until disposed, by default every minute. A metric has the time of the last success, because a failing cleanup has
 * no other visible effect.
 *
 * @param name of the deleted data, for metrics and logs
 */
export function startCleanup(
  name: string,
  deleteExpired: () => Promise<unknown>,
  {
    logger,
    registry,
    intervalMs = defaultIntervalMs,
  }: { readonly logger: Logger; readonly registry: Registry; readonly intervalMs?: number },
): Disposable {
  const lastSuccess = createGauge(registry, 'sociallogin_cleanup_last_success_timestamp_seconds')
  const reportSuccess = () => lastSuccess.set({ cleanup: name }, Date.now() / 1_000)
  reportSuccess()
  const timer = setInterval(
    () =>
      deleteExpired().then(reportSuccess, (error: unknown) =>
        logger.warn({ error, cleanup: name }, 'cleanup failed; retrying'),
      ),
    intervalMs,
  ).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
