import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createGauge, type Logger } from '#runtime'
import { deleteOldLogins, selectRetentions } from '../store/login-history.ts'

// Our choices: retention is set in days, so some hours do not matter; a batch stays well below the statement timeout.
const intervalMs = 6 * 3_600_000
const batchSize = 5_000

/**
 * Deletes logins that are older than their site's retention, now and every six hours until disposed. Replicas skip each
 * other's rows. A metric has the time of the last success.
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
  const lastSuccess = createGauge(registry, 'sociallogin_cleanup_last_success_timestamp_seconds')
  const reportSuccess = () => lastSuccess.set({ cleanup: 'login_history' }, Date.now() / 1_000)
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
      logger.warn({ error }, 'old logins not deleted; retrying in six hours')
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
