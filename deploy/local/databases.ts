import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { provisionDatabase } from '#database'
import { LocalFailure } from '#local'
import type { Secrets } from './secrets.ts'
import { owners } from './services.ts'

/** A database and a role for each owning service; the roles' passwords are kept. Answers the URLs by database name. */
export async function openDatabases(superuser_url: string, secrets: Secrets): Promise<ReadonlyMap<string, string>> {
  const urls = await Promise.all(
    owners.map(async ({ database }) => {
      const password = secrets.keep(`password of ${database}`, () => randomBytes(24).toString('base64url'))
      return [database, await provisionDatabase(superuser_url, { name: database, password })] as const
    }),
  ).catch((cause: unknown) => {
    throw new LocalFailure(`The databases could not be made: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  })
  return new Map(urls)
}

/** Drops what `openDatabases` made at a server of somebody else. Answers the names. */
export async function dropDatabases(superuser_url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: superuser_url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database join pg_roles on pg_roles.oid = datdba
        where datname = rolname and datname = any($1) order by datname`,
      [owners.map(({ database }) => database)],
    )
    for (const { name } of rows) {
      await client.query(`drop database ${client.escapeIdentifier(name)} with (force)`)
      await client.query(`drop role ${client.escapeIdentifier(name)}`)
    }
    return rows.map(({ name }) => name)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause
    throw new LocalFailure(`The databases at DATABASE_URL could not be dropped: ${reason}`, { cause })
  } finally {
    await client.end()
  }
}
