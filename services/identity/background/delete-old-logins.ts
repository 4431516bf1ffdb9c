import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createGauge, type Logger } from '#runtime'
import { deleteOldLogins, selectRetentions } from '../store/login-history.ts'

// Our choices: what is told in days may be some hours late, and a statement ends well within its time.
const intervalMs = 6 * 3_600_000
const batchSize = 5_000

/**
 * Removes logins that their sites do not keep any longer, now and every six hours until disposed. Several replicas leave to one
 * another what each is at. When it last succeeded is measured.
 */
export function startLoginHistoryCleanup({
  knex,
  logger,
  registry,
}: {
  readonly knex: Knex
  readonly logger: Logger
  readonly registry: Registry
}): AsyncDisposable {
  const lastSuccess = createGauge(registry, 'sociallogin_sweep_last_success_timestamp_seconds')
  const reportSuccess = () => lastSuccess.set({ sweep: 'login_history' }, Date.now() / 1_000)
  reportSuccess()
  const stop = new AbortController()
  const deleteAll = async () => {
    try {
      for (const retention of await selectRetentions(knex)) {
        let removed: number
        do removed = await deleteOldLogins(knex, retention, batchSize)
        while (removed === batchSize && !stop.signal.aborted)
      }
      reportSuccess()
    } catch (error) {
      logger.warn({ error }, 'old logins are not removed; it is tried again')
    }
  }
  let running = deleteAll()
  const timer = setInterval(() => {
    running = running.then(deleteAll)
  }, intervalMs).unref()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      clearInterval(timer)
      await running
    },
  }
}
