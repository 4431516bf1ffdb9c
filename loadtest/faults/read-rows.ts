import type { Knex } from 'knex'

/**
 * Selects rows with any SQL. Citus rejects queries that combine rows of several sites in certain ways, for example with correlated
 * subqueries, so they read copies of its tables.
 */
export async function readRows<T>(database: Knex, query: string, bindings: readonly Knex.Value[] = []): Promise<T[]> {
  const run = async (knex: Knex) => (await knex.raw<{ rows: T[] }>(query, bindings)).rows
  if (!(await isDistributed(database))) return await run(database)
  return await database.transaction(async (trx) => {
    const names: string[] = await trx('pg_class')
      .whereRaw(`relnamespace = 'public'::regnamespace and relkind in ('r', 'v')`)
      .pluck('relname')
    // A temporary table hides the one of the same name.
    for (const name of names.filter((one) => new RegExp(`\\b${one}\\b`).test(query)))
      await trx.raw('create temporary table ?? on commit drop as select * from public.??', [name, name])
    return await run(trx)
  })
}

async function isDistributed(database: Knex): Promise<boolean> {
  const { rows } = await database.raw<{ rows: { is_distributed: boolean }[] }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as is_distributed`,
  )
  return rows[0]?.is_distributed === true
}
