import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createGauge, type Logger, repeatInBackground } from '#runtime'
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
    users.set(await countAllUsers(knex))
  }
  return repeatInBackground(count, { intervalMs, logger, failure: 'users not counted; retrying in a minute' })
}
