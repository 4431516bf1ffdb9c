import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createGauge, type Logger } from '#runtime'
import { countAllUsers } from '../store/user-counts.ts'

const intervalMs = 60_000

/** Updates the metric of all sites' users, now and every minute until disposed. */
export function startCountingUsers({
  knex,
  registry,
  logger,
}: {
  readonly knex: Knex
  readonly registry: Registry
  readonly logger: Logger
}): Disposable {
  const users = createGauge(registry, 'sociallogin_users')
  const count = async () => {
    try {
      users.set(await countAllUsers(knex))
    } catch (error) {
      logger.warn({ error }, 'users not counted; retrying in a minute')
    }
  }
  void count()
  const timer = setInterval(count, intervalMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
