import type { Knex } from 'knex'
import { ConfigError } from '#runtime'

/** Postgres' time limits in ms for a statement, for a lock, and for an idle transaction. Our choice. */
export const sessionLimits = {
  statement_timeout: 5_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
}

/**
 * Checks that sessions have the limits. A pooler such as PgBouncer does not pass on those that a client sends, so the role must have
 * them.
 *
 * @throws ConfigError with the statement that sets them
 */
export async function requireSessionLimits(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { role: string; name: string; ms: number }[] }>(
    'select current_user as role, name, setting::integer as ms from pg_settings where name = any(?)',
    [Object.keys(sessionLimits)],
  )
  const missing = Object.entries(sessionLimits).filter(([limit, most]) => {
    const { ms = 0 } = rows.find(({ name }) => name === limit) ?? {}
    return ms === 0 || ms > most
  })
  if (missing.length === 0) return
  const role = `"${rows[0]?.role.replaceAll('"', '""')}"`
  const statements = missing.map(([limit, most]) => `alter role ${role} set ${limit} = ${most};`)
  throw new ConfigError([
    'DATABASE_URL leads to a pooler that does not pass on the time limits of sessions. Set them for the role in Postgres, and let the pooler open new connections:',
    ...statements.map((statement) => `  ${statement}`),
  ])
}
