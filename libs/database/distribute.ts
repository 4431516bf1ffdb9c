import knex, { type Knex } from 'knex'
import {
  type Distribution,
  DistributionError,
  type DistributionPlan,
  hasDistributedTables,
  planDistribution,
} from './distribution.ts'
import { findPrimary, lockMigrations, setLimits } from './migrate.ts'

/** Distributes the tables of a database by site, in one transaction. Tables that are distributed already stay as they are. */
export async function distribute(url: string, distribution: Distribution): Promise<DistributionPlan> {
  return withDatabase(url, (database) =>
    database.transaction(async (trx) => {
      await setLimits(trx, 0)
      await lockMigrations(trx)
      return distributeTables(trx, distribution)
    }),
  )
}

/** Distributes tables that a migration added to a distributed database. Does nothing in any other. */
export async function distributeNewTables(url: string, distribution: Distribution): Promise<void> {
  if (await withDatabase(url, hasDistributedTables)) await distribute(url, distribution)
}

/** What `distribute` would do. The extension is not required. */
export async function previewDistribution(url: string, distribution: Distribution): Promise<DistributionPlan> {
  return withDatabase(url, (database) => planDistribution(database, distribution))
}

async function withDatabase<T>(url: string, work: (database: Knex) => Promise<T>): Promise<T> {
  const database = knex({ client: 'pg', connection: await findPrimary(url), pool: { min: 0, max: 1 } })
  try {
    return await work(database)
  } finally {
    await database.destroy()
  }
}

async function distributeTables(trx: Knex.Transaction, distribution: Distribution): Promise<DistributionPlan> {
  await requireWorkers(trx)
  const plan = await planDistribution(trx, distribution)
  const { distributed, reference, recreatedKeys, droppedKeys, unmanaged } = plan
  if (distributed.length === 0 && reference.length === 0 && unmanaged.length === 0) return plan
  if (plan.follows === undefined) {
    await requireStoppedService(trx, distribution)
    await distribution.prepare?.(trx)
  }
  // Citus requires it after a change of a table that distributed ones refer to.
  await trx.raw(`set local citus.multi_shard_modify_mode to 'sequential'`)
  for (const { table, name } of [...recreatedKeys, ...droppedKeys])
    await trx.raw('alter table ?? drop constraint ??', [table, name])
  for (const table of reference) await trx.raw('select create_reference_table(?)', [table])
  const [first] = distributed
  for (const table of distributed) {
    const like = plan.follows ?? (table === first ? 'default' : first)
    await trx.raw(`select create_distributed_table(:table, 'site', colocate_with => :like)`, { table, like })
  }
  // Its rows were copied to the shards.
  for (const table of [...reference, ...distributed])
    await trx.raw('select truncate_local_data_after_distributing_table(?)', [table])
  for (const { table, name, definition } of recreatedKeys)
    await trx.raw(`alter table ?? add constraint ?? ${definition}`, [table, name])
  for (const table of unmanaged) await trx.raw('select citus_add_local_table_to_metadata(?)', [table])
  return plan
}

/**
 * A replica looks once, when it starts, whether the tables are distributed.
 *
 * @throws DistributionError if a replica of the service is connected
 */
async function requireStoppedService(trx: Knex.Transaction, { service }: Distribution): Promise<void> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    'select from pg_stat_activity where datname = current_database() and application_name = ?',
    [service],
  )
  if (rowCount > 0)
    throw new DistributionError(
      `Replicas of ${service} are connected to the database. Stop them and their pooler, distribute the tables, and start them again.`,
    )
}

/** @throws DistributionError if the extension or its workers are missing */
async function requireWorkers(trx: Knex.Transaction): Promise<void> {
  const { rows } = await trx.raw<{ rows: { installed: boolean }[] }>(
    `select exists (select from pg_extension where extname = 'citus') as installed`,
  )
  if (!rows[0]?.installed)
    throw new DistributionError(
      'The database has no extension citus. Run `create extension citus` in it as a superuser, on the coordinator and on each worker.',
    )
  const workers = await trx.raw<{ rowCount: number }>(
    'select from pg_dist_node where isactive and shouldhaveshards and groupid <> 0',
  )
  if (workers.rowCount === 0)
    throw new DistributionError(
      'The database has no workers. Run `citus_set_coordinator_host` and then `citus_add_node` for each worker as a superuser.',
    )
}
