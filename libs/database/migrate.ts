import { setTimeout as delay } from 'node:timers/promises'
import { runMigrations, Logger as WorkerLogger } from 'graphile-worker'
import knex, { type Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createGauge, type Logger } from '#runtime'

/** One change of a database's shape. Applied ones are never edited; a schema is only ever moved forward. */
export interface Migration {
  /** `NNNN-sentence`, as the file is named. */
  readonly name: string
  readonly up: (knex: Knex) => Promise<void>
}

/** Any number, the same for every migration run of a database. */
const lockNumber = 7_305_001

/**
 * The job queue lets nobody but the owner of its tables see rows. Where a service has a role of its own, beside the owner that migrates,
 * it is that role's grants which say what it may.
 */
const jobsForOtherRoles = `
  do $$
  declare job_table regclass;
  begin
    for job_table in select oid from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity loop
      execute format('alter table %s disable row level security', job_table);
    end loop;
  end $$`

/**
 * How long in milliseconds a change waits for a table somebody holds, a backup for one: while it waits, everybody else waits behind it. It
 * fails then, and is tried again by whoever runs migrations. Our choice.
 */
const lockTimeout = 3_000

/** Applies a service's list in order, each migration once, whoever else tries at the same time; then the job queue's own. */
export async function migrate(url: string, migrations: readonly Migration[]): Promise<{ applied: string[] }> {
  const lock = knex({ client: 'pg', connection: url, pool: { min: 1, max: 1 } })
  const connection = { connectionString: url, lock_timeout: lockTimeout }
  const database = knex({ client: 'pg', connection, pool: { min: 0, max: 2 } })
  try {
    await lock.raw('select pg_advisory_lock(?)', [lockNumber])
    const settings = { migrationSource: sourceOf(migrations), tableName: migrationsTable }
    // The advisory lock is held, so a lock row left behind by a killed run is nobody's.
    await database.migrate.forceFreeMigrationsLock(settings)
    const [, applied]: [number, string[]] = await database.migrate.latest(settings)
    await runMigrations({ connectionString: url, logger: new WorkerLogger(() => () => {}) })
    await database.raw(jobsForOtherRoles)
    return { applied }
  } finally {
    await database.destroy()
    await lock.destroy()
  }
}

/** True when every migration of the list was applied; later ones, of a release that is being rolled out, do not matter. */
export async function schemaIsCurrent(database: Knex, migrations: readonly Migration[]): Promise<boolean> {
  const applied = new Set(await listApplied(database))
  return migrations.every(({ name }) => applied.has(name))
}

async function listApplied(database: Knex): Promise<string[]> {
  if (!(await database.schema.hasTable(migrationsTable))) return []
  return database(migrationsTable).pluck('name')
}

/** The greatest number of the migrations' names. */
function versionOf(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number.parseInt(name, 10)))
}

const lookAgainMs = 1_000

/** Resolves when every migration of the list was applied, by whomever: until then a service takes no work and is not ready. */
export async function schemaBecomesCurrent(
  database: Knex,
  migrations: readonly Migration[],
  { logger, registry }: { readonly logger: Logger; readonly registry: Registry },
): Promise<void> {
  const seen = createGauge(registry, 'sociallogin_schema_version')
  const required = versionOf(migrations.map(({ name }) => name))
  createGauge(registry, 'sociallogin_schema_required_version').set(required)
  const isCurrent = async () => {
    const applied = await listApplied(database)
    seen.set(versionOf(applied))
    return migrations.every(({ name }) => applied.includes(name))
  }
  if (await isCurrent()) return
  logger.warn('The database lacks migrations; waiting until the migrate command has run.')
  do await delay(lookAgainMs)
  while (!(await isCurrent()))
}

const migrationsTable = 'migrations'

function sourceOf(migrations: readonly Migration[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ up }) => ({ up, down: async () => {} }),
  }
}
