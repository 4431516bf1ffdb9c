import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate, provisionDatabase } from '#database'
import { SetupError } from '#local'
import { databaseOwners } from './database-owners.ts'
import type { Secrets } from './secrets.ts'

/**
 * Creates and migrates a database and a role for each service that owns one. Stores the roles' passwords in the secrets.
 *
 * @returns the URLs by database name
 */
export async function createDatabases(superuserUrl: string, secrets: Secrets): Promise<ReadonlyMap<string, string>> {
  const urls = await Promise.all(
    databaseOwners.map(async ({ name, database, migrations }) => {
      const password = getDatabasePassword(secrets, database)
      const url = await provisionDatabase(superuserUrl, { name: database, password }).catch((cause: unknown) => {
        throw new SetupError(`The database of ${name} could not be created: ${messageOf(cause)}`, { cause })
      })
      await migrate(url, migrations).catch((cause: unknown) => {
        throw new SetupError(`The database of ${name} could not be migrated: ${messageOf(cause)}`, { cause })
      })
      return [database, url] as const
    }),
  )
  return new Map(urls)
}

/** The password of the role of a database, which is the same on each start. */
export function getDatabasePassword(secrets: Secrets, database: string): string {
  return secrets.getOrCreate(`password of ${database}`, () => randomBytes(24).toString('base64url'))
}

/** Drops what `createDatabases` created on an external server. @returns the names */
export async function dropDatabases(superuserUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database join pg_roles on pg_roles.oid = datdba
        where datname = rolname and datname = any($1) order by datname`,
      [databaseOwners.map(({ database }) => database)],
    )
    for (const { name } of rows) {
      await client.query(`drop database ${client.escapeIdentifier(name)} with (force)`)
      await client.query(`drop role ${client.escapeIdentifier(name)}`)
    }
    return rows.map(({ name }) => name)
  } catch (cause) {
    throw new SetupError(`The databases at DATABASE_URL could not be dropped: ${messageOf(cause)}`, { cause })
  } finally {
    await client.end()
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
