import type { Logger } from './logger.ts'

/** How often a first connection is tried whose server is silent. Our choice: a machine that starts everything is busy for a while. */
const attempts = 10

/**
 * Opens the first connection to a server, again if the server did not answer in time.
 *
 * @param server its kind, for the log
 * @throws the error of `open`, at once if the server rejected the connection
 */
export async function openPatiently<T>(
  server: 'Postgres' | 'NATS',
  open: () => Promise<T>,
  logger: Logger,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await open()
    } catch (error) {
      if (attempt === attempts || !isTimeout(error)) throw error
      logger.warn({ error, attempt, attempts }, `${server} does not answer; trying again`)
    }
  }
}

/** Libraries name time limits in different ways. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && (/timeout|timed out/i.test(error.message) || isTimeout(error.cause))
}
