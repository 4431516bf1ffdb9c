import type { Knex } from 'knex'
import type { DeletedRows } from '#contracts'
import type { Migration } from './migrate.ts'
import type { SiteDataTable } from './site-tables.ts'
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

/** Records that a site is deleted. Idempotent. */
export async function markSiteDeleted(knex: Knex, site: number): Promise<void> {
  await knex('site_deletions').insert({ site, table_name: '' }).onConflict(['site', 'table_name']).ignore()
}

/**
 * Deletes rows of a site, table by table from the last one on, for a moment. Each statement counts its rows in its own transaction, so that
 * counts are exact after a crash at any point.
 *
 * @returns whether no row is left
 */
export async function deleteSiteRows(knex: Knex, site: number, tables: readonly SiteDataTable[]): Promise<boolean> {
  await markSiteDeleted(knex, site)
  const endsAt = performance.now() + longestMs
  for (const table of tables.filter(({ deletion }) => deletion === undefined).toReversed()) {
    while (await deleteBatch(knex, site, table)) if (performance.now() > endsAt) return false
  }
  return true
}

/** @returns whether rows may be left */
async function deleteBatch(
  knex: Knex,
  site: number,
  { table, parent, batch = batchSize }: SiteDataTable,
): Promise<boolean> {
  return transaction(knex, async (trx) => {
    const rows = trx(table).select(trx.raw('ctid')).limit(batch)
    if (parent === undefined) rows.where({ site })
    else rows.whereIn(parent.column, trx(parent.table).where({ site }).select(parent.column))
    const deleting = trx(table).whereRaw('ctid = any(array(?))', [rows])
    // A distributed table finds its shard by the site.
    if (parent === undefined) deleting.where({ site })
    const deleted = await deleting.delete()
    await countDeleted(trx, site, table, deleted)
    // A row that another transaction has changed since this statement began is not deleted: it is at another place.
    return deleted > 0 || (await rows.clone().first()) !== undefined
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
