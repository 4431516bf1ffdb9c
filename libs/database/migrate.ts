import { setTimeout as delay } from 'node:timers/promises'
import knex, { type Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createGauge, type Logger, splitPostgresUrl } from '#runtime'
import { createAvailabilityCheck } from './availability.ts'

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

/**
 * Applies a service's migrations in order, each once, also if run concurrently. Locks and limits belong to transactions, not to
 * sessions, which a pooler may share with others.
 */
export async function migrate(url: string, migrations: readonly Migration[]): Promise<{ applied: string[] }> {
  const connection = await findPrimary(url)
  const lock = knex({ client: 'pg', connection, pool: { min: 0, max: 1 } })
  const database = knex({ client: 'pg', connection, pool: { min: 0, max: 2 } })
  try {
    return await lock.transaction(async (trx) => {
      await setLimits(trx, 0)
      await lockMigrations(trx)
      const settings = { migrationSource: createMigrationSource(migrations), tableName: migrationsTable }
      // The advisory lock is held, so a lock row belongs to a killed run.
      await database.migrate.forceFreeMigrationsLock(settings)
      const [, applied]: [number, string[]] = await database.migrate.latest(settings)
      return { applied }
    })
  } finally {
    await database.destroy()
    await lock.destroy()
  }
}

/** Waits until no other run changes the schema, until the transaction ends. */
export async function lockMigrations(trx: Knex.Transaction): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?)', [lockNumber])
}

/** The URL of the server that can write, of several. */
export async function findPrimary(url: string): Promise<string> {
  const urls = splitPostgresUrl(url)
  await using check = createAvailabilityCheck({ urls, name: 'migrate' }, () => {})
  if (urls.length > 1) await check.isWritable()
  return check.findUrl()
}

/** Replaces the limits of the role, which are those of requests, for this transaction. 0 is no limit. */
export async function setLimits(trx: Knex, lockMs: number): Promise<void> {
  await trx.raw(
    `select set_config('lock_timeout', ?, true), set_config('statement_timeout', '0', true),
       set_config('idle_in_transaction_session_timeout', '0', true)`,
    [String(lockMs)],
  )
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
    getMigration: async ({ up }) => ({
      async up(trx) {
        await setLimits(trx, lockTimeout)
        await up(trx)
      },
      down: async () => {},
    }),
  }
}
