import type { Knex } from 'knex'
import type { DeletedRows } from '#contracts'
import type { Migration } from './migrate.ts'
import { transaction } from './transaction.ts'

/**
 * Creates the table of the sites that are deleted from a service, with the number of rows that were deleted of each table. The row
 * with an empty name remains for ever: data of the site that arrives late is discarded.
 */
export function siteDeletionsMigration(name: string): Migration {
  return {
    name,
    async up(knex) {
      await knex.raw(`
        create table site_deletions (
          site integer not null,
          table_name text collate "C" not null,
          deleted bigint not null default 0,
          constraint site_deletions_pk primary key (site, table_name)
        )`)
    },
  }
}

/** Rows of one statement: a site of millions of rows neither locks nor delays others. Our choice. */
const batchSize = 2_000
/** How long one call deletes, in ms. Our choice. */
const longestMs = 500

/** A table without a column `site`, whose rows belong to rows of another one. */
interface ChildTable {
  readonly table: string
  /** The table with the column `site`, and the column that both have. */
  readonly parent: string
  readonly column: string
  /** Rows of one statement, if they are large. */
  readonly batch?: number
}

/** Records that a site is deleted. Idempotent. */
export async function markSiteDeleted(knex: Knex, site: number): Promise<void> {
  await knex('site_deletions').insert({ site, table_name: '' }).onConflict(['site', 'table_name']).ignore()
}

/**
 * Deletes rows of a site from tables with a column `site`, table by table, for a moment. Each statement counts its rows in its own
 * transaction, so that counts are exact after a crash at any point.
 *
 * @param tables in the order of deletion: rows that others refer to come after those
 * @returns whether no row is left
 */
export async function deleteSiteRows(
  knex: Knex,
  site: number,
  tables: readonly (string | ChildTable)[],
): Promise<boolean> {
  await markSiteDeleted(knex, site)
  const endsAt = performance.now() + longestMs
  for (const table of tables) {
    while ((await deleteBatch(knex, site, table)) > 0) if (performance.now() > endsAt) return false
  }
  return true
}

async function deleteBatch(knex: Knex, site: number, named: string | ChildTable): Promise<number> {
  const table = typeof named === 'string' ? named : named.table
  return transaction(knex, async (trx) => {
    const rows = trx(table).select(trx.raw('ctid'))
    if (typeof named === 'string') rows.where({ site }).limit(batchSize)
    else
      rows.whereIn(named.column, trx(named.parent).where({ site }).select(named.column)).limit(named.batch ?? batchSize)
    const deleting = trx(table).whereRaw('ctid = any(array(?))', [rows])
    // A distributed table finds its shard by the site.
    if (typeof named === 'string') deleting.where({ site })
    const deleted = await deleting.delete()
    await countDeleted(trx, site, table, deleted)
    return deleted
  })
}

/** Adds to the number of deleted rows, in the transaction of their deletion. */
export async function countDeleted(trx: Knex.Transaction, site: number, table: string, deleted: number): Promise<void> {
  if (deleted === 0) return
  await trx.raw(
    `insert into site_deletions as counted (site, table_name, deleted) values (:site, :table, :deleted)
     on conflict (site, table_name) do update set deleted = counted.deleted + excluded.deleted`,
    { site, table, deleted },
  )
}

/** How many rows of a site were deleted, by table. */
export async function readDeletedRows(knex: Knex, site: number): Promise<DeletedRows> {
  const rows: { table_name: string; deleted: number }[] = await knex('site_deletions')
    .where({ site })
    .whereNot({ table_name: '' })
    .orderBy('table_name')
    .select('table_name', 'deleted')
  return Object.fromEntries(rows.map(({ table_name, deleted }) => [table_name, Number(deleted)]))
}
