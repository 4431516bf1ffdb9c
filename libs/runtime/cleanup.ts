import type { Registry } from 'prom-client'
import type { Logger } from './logger.ts'
import { createGauge } from './metrics/create.ts'

const intervalMs = 60_000

/**
 * Deletes expired data every minute until disposed. A metric has the time of the last success, because a failing cleanup has
 * no other visible effect.
 *
 * @param name of the deleted data, for metrics and logs
 */
export function startCleanup(
  name: string,
  deleteExpired: () => Promise<unknown>,
  { logger, registry }: { readonly logger: Logger; readonly registry: Registry },
): Disposable {
  const lastSuccess = createGauge(registry, 'sociallogin_cleanup_last_success_timestamp_seconds')
  const reportSuccess = () => lastSuccess.set({ cleanup: name }, Date.now() / 1_000)
  reportSuccess()
  const timer = setInterval(
    () =>
      deleteExpired().then(reportSuccess, (error: unknown) =>
        logger.warn({ error, cleanup: name }, 'cleanup failed; retrying in a minute'),
      ),
    intervalMs,
  ).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
