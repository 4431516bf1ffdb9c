import type { Registry } from 'prom-client'
import type { Logger } from './logger.ts'
import { createGauge } from './metrics/create.ts'

const sweepEveryMs = 60_000

/**
 * Removes every minute what must not be kept any longer, until disposed. When it last succeeded is measured: what fails to go
 * harms nobody at once, so that nobody would notice.
 *
 * @param name of what is removed, for metrics and logs
 */
export function startCleanup(
  name: string,
  sweep: () => Promise<unknown>,
  { logger, registry }: { readonly logger: Logger; readonly registry: Registry },
): Disposable {
  const lastSuccess = createGauge(registry, 'sociallogin_sweep_last_success_timestamp_seconds')
  const tell = () => lastSuccess.set({ sweep: name }, Date.now() / 1_000)
  tell()
  const timer = setInterval(
    () => sweep().then(tell, (error: unknown) => logger.warn({ error, sweep: name }, 'sweep failed')),
    sweepEveryMs,
  ).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
