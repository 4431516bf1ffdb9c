import type { Knex } from 'knex'
import { defineStatement } from './statement.ts'

/** SQL of the tombstones table, for the first migration of each service that stores data of linked accounts. */
export const deletedLinkDataTable = `
      -- Data recorded for a link until deleted_until is discarded if it arrives late; 'infinity' for a deleted link.
      create table deleted_link_data (
        link_id uuid constraint deleted_link_data_pk primary key,
        deleted_until timestamptz not null
      );`

const lockEach = defineStatement(
  `select pg_advisory_xact_lock(hashtextextended(link_id, 0))
   from (select distinct link_id from unnest($1::text[]) as link_id order by link_id) as links`,
)

/**
 * Locks links until the transaction ends. To avoid deadlocks, every transaction locks all its links at once, before users
 * and rows.
 */
export async function lockLinks(trx: Knex.Transaction, linkIds: readonly string[]): Promise<void> {
  await lockEach(trx, [linkIds])
}

const selectDeleted = defineStatement('select from deleted_link_data where link_id = $1 and deleted_until >= $2')

/**
 * Locks one link until the transaction ends.
 *
 * @returns whether data recorded at this time may be stored: false if it was deleted meanwhile
 */
export async function lockLinkForStoring(
  trx: Knex.Transaction,
  { link_id, recorded_at }: { readonly link_id: string; readonly recorded_at: Date },
): Promise<boolean> {
  await lockLinks(trx, [link_id])
  return (await selectDeleted(trx, [link_id, recorded_at])).rowCount === 0
}

/** From now on, discards data that was recorded for locked links until a time; for deleted links, all data. */
export async function upsertDeletedLinkData(
  trx: Knex.Transaction,
  linkIds: readonly string[],
  deletedUntil: Date | 'infinity',
): Promise<void> {
  await trx.raw(
    `insert into deleted_link_data as stored (link_id, deleted_until)
     select distinct link_id, ?::timestamptz from unnest(?::uuid[]) as link_id
     on conflict (link_id) do update set deleted_until = greatest(stored.deleted_until, excluded.deleted_until)`,
    [deletedUntil, [...linkIds]],
  )
}
