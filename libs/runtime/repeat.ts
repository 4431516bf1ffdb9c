import type { Logger } from './logger.ts'

interface RepeatOptions {
  readonly intervalMs: number
  readonly logger: Logger
  /** The log line of a failed run. */
  readonly failure: string
}

/** Runs work in the background, now and regularly until disposed. A failed run is logged, and the next one tries again. */
export function repeatInBackground(
  work: () => Promise<void>,
  { intervalMs, logger, failure }: RepeatOptions,
): Disposable {
  const run = () => work().catch((error: unknown) => logger.warn({ error }, failure))
  void run()
  const timer = setInterval(run, intervalMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
