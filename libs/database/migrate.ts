import { setTimeout as delay } from 'node:timers/promises'
import knex, { type Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createGauge, type Logger } from '#runtime'

/** One change of a database schema. Applied migrations are never edited, and schemas only move forward. */
export interface Migration {
  /** `NNNN-sentence`, as the file is named. */
  readonly name: string
  readonly up: (knex: Knex) => Promise<void>
}

/** An arbitrary number, the same for every migration run. */
const lockNumber = 7_305_001

/**
 * How long a migration waits for a table lock, in ms, for example of a backup. Other statements queue behind it. After
 * that it fails, and must be run again. Our choice.
 */
const lockTimeout = 3_000

/** Applies a service's migrations in order, each once, also if run concurrently. */
export async function migrate(url: string, migrations: readonly Migration[]): Promise<{ applied: string[] }> {
  const lock = knex({ client: 'pg', connection: url, pool: { min: 1, max: 1 } })
  const connection = { connectionString: url, lock_timeout: lockTimeout }
  const database = knex({ client: 'pg', connection, pool: { min: 0, max: 2 } })
  try {
    await lock.raw('select pg_advisory_lock(?)', [lockNumber])
    const settings = { migrationSource: createMigrationSource(migrations), tableName: migrationsTable }
    // The advisory lock is held, so a lock row belongs to a killed run.
    await database.migrate.forceFreeMigrationsLock(settings)
    const [, applied]: [number, string[]] = await database.migrate.latest(settings)
    return { applied }
  } finally {
    await database.destroy()
    await lock.destroy()
  }
}

/** Whether every migration of the list is applied. Later ones, of a release that is being rolled out, are ignored. */
export async function isSchemaCurrent(database: Knex, migrations: readonly Migration[]): Promise<boolean> {
  const applied = new Set(await listApplied(database))
  return migrations.every(({ name }) => applied.has(name))
}

async function listApplied(database: Knex): Promise<string[]> {
  if (!(await database.schema.hasTable(migrationsTable))) return []
  return database(migrationsTable).pluck('name')
}

/** The highest number in the migrations' names. */
function versionOf(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number.parseInt(name, 10)))
}

const pollIntervalMs = 1_000

/** Waits until every migration of the list is applied. Until then, a service is not ready. */
export async function waitForSchema(
  database: Knex,
  migrations: readonly Migration[],
  { logger, registry }: { readonly logger: Logger; readonly registry: Registry },
): Promise<void> {
  const appliedVersion = createGauge(registry, 'sociallogin_schema_version')
  const required = versionOf(migrations.map(({ name }) => name))
  createGauge(registry, 'sociallogin_schema_required_version').set(required)
  const isCurrent = async () => {
    const applied = await listApplied(database)
    appliedVersion.set(versionOf(applied))
    return migrations.every(({ name }) => applied.includes(name))
  }
  if (await isCurrent()) return
  logger.warn('database migrations are missing; waiting for the migrate command')
  do await delay(pollIntervalMs)
  while (!(await isCurrent()))
}

const migrationsTable = 'migrations'

function createMigrationSource(migrations: readonly Migration[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ up }) => ({ up, down: async () => {} }),
  }
}
