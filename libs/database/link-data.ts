import type { Knex } from 'knex'
import { defineStatement } from './statement.ts'

/** SQL of the tombstones table, for the first migration of each service that stores data of linked accounts. */
export const deletedLinkDataTable = `
      -- Data recorded for a link until deleted_until is discarded if it arrives late; 'infinity' for a deleted link.
      create table deleted_link_data (
        site integer not null,
        link_id uuid not null,
        deleted_until timestamptz not null,
        constraint deleted_link_data_pk primary key (site, link_id)
      );`

/** SQL that locks a link until the transaction ends. @param linkId an expression of type text */
export function lockOfLink(linkId: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${linkId}, 0))`
}

const lockEach = defineStatement(
  `select ${lockOfLink('link_id')}
   from (select distinct link_id from unnest($1::text[]) as link_id order by link_id) as links`,
)

/**
 * Locks links until the transaction ends. To avoid deadlocks, every transaction locks all its links at once, before users
 * and rows.
 */
export async function lockLinks(trx: Knex.Transaction, linkIds: readonly string[]): Promise<void> {
  await lockEach(trx, [linkIds])
}

const selectDeleted = defineStatement(
  // With a column: Citus cannot combine results of a distributed and another table that have none.
  `select 1 from deleted_link_data where site = $1 and link_id = $2 and deleted_until >= $3
   union all select 1 from site_deletions where site = $1 and table_name = ''`,
)

/**
 * Locks one link until the transaction ends.
 *
 * @returns whether data recorded at this time may be stored: false if it was deleted meanwhile
 */
export async function lockLinkForStoring(
  trx: Knex.Transaction,
  { site, link_id, recorded_at }: { readonly site: number; readonly link_id: string; readonly recorded_at: Date },
): Promise<boolean> {
  await lockLinks(trx, [link_id])
  return (await selectDeleted(trx, [site, link_id, recorded_at])).rowCount === 0
}

const selectEachDeleted = defineStatement<{ link_id: string }>(
  `select link_id from deleted_link_data where site = $1 and link_id = any($2) and deleted_until >= $3
   union all select unnest($2::uuid[]) from site_deletions where site = $1 and table_name = ''`,
)

/**
 * Locks links until the transaction ends.
 *
 * @returns those for which data recorded at this time may be stored
 */
export async function lockLinksForStoring(
  trx: Knex.Transaction,
  { site, link_ids, recorded_at }: { site: number; link_ids: readonly string[]; recorded_at: Date },
): Promise<ReadonlySet<string>> {
  if (link_ids.length === 0) return new Set()
  await lockLinks(trx, link_ids)
  const { rows } = await selectEachDeleted(trx, [site, link_ids, recorded_at])
  const deleted = new Set(rows.map(({ link_id }) => link_id))
  return new Set(link_ids.filter((linkId) => !deleted.has(linkId)))
}

const upsertEach = defineStatement(
  `insert into deleted_link_data as stored (site, link_id, deleted_until)
   select distinct $1::integer, link_id, $2::timestamptz from unnest($3::uuid[]) as link_id
   on conflict (site, link_id) do update set deleted_until = greatest(stored.deleted_until, excluded.deleted_until)`,
)

/** From now on, discards data that was recorded for locked links until a time; for deleted links, all data. */
export async function upsertDeletedLinkData(
  trx: Knex.Transaction,
  site: number,
  linkIds: readonly string[],
  deletedUntil: Date | 'infinity',
): Promise<void> {
  await upsertEach(trx, [site, deletedUntil, linkIds])
}
