import type { Knex } from 'knex'
import type { ExcludedFields } from '#contracts'
import { excludesEverything } from '../domain/excluded-fields.ts'

/** First key of the advisory locks of sites' storing. Any number that nobody else here uses. */
const lockClass = 7_305_002

/**
 * What a site does not store, which stays so until the transaction ends: a change of it waits for those who store by what
 * was before, and finds what they stored.
 */
export async function lockExcludedFields(trx: Knex.Transaction, site: number): Promise<ExcludedFields> {
  // A statement of its own: the next one sees what was committed while this one waited.
  await trx.raw('select pg_advisory_xact_lock_shared(?, ?)', [lockClass, site])
  const row: { fields: ExcludedFields } | undefined = await trx('excluded_fields').where({ site }).first('fields')
  return row?.fields ?? {}
}

/**
 * Keeps what a site does not store, and that what is stored of it is to be cleared.
 *
 * @returns false when this or something newer is known already
 */
export async function upsertExcludedFields(
  trx: Knex.Transaction,
  { site, revision, fields }: { site: number; revision: number; fields: ExcludedFields },
): Promise<boolean> {
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [lockClass, site])
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into excluded_fields as known (site, revision, fields, excludes_everything, deletion_started_at)
     values (:site, :revision, :fields, :excludes_everything, now())
     on conflict (site) do update
     set revision = excluded.revision, fields = excluded.fields, excludes_everything = excluded.excludes_everything,
         deletion_started_at = now(), deleted_up_to = '', users_processed = 0
     where known.revision < excluded.revision`,
    { site, revision, fields: JSON.stringify(fields), excludes_everything: excludesEverything(fields) },
  )
  return rowCount > 0
}

/** How far clearing what a site does not store has come. */
export interface DeletionProgress {
  /** Of the setting it is for. */
  readonly revision: number
  readonly fields: ExcludedFields
  readonly deletion_started_at: Date
  readonly deleted_up_to: string
  readonly users_processed: number
}

/** Undefined when nothing is left to do. */
export async function findDeletionProgress(knex: Knex, site: number): Promise<DeletionProgress | undefined> {
  return knex('excluded_fields')
    .where({ site })
    .whereNotNull('deletion_started_at')
    .first('revision', 'fields', 'deletion_started_at', 'deleted_up_to', 'users_processed')
}

/** Marks the progress, unless the setting was changed meanwhile. @param to the last user looked at; null: there are no more */
export async function updateDeletionProgress(
  knex: Knex,
  site: number,
  revision: number,
  { to, users }: { to: string | null; users: number },
): Promise<void> {
  const progress = to === null ? { deletion_started_at: null } : { deleted_up_to: to }
  await knex('excluded_fields')
    .where({ site, revision })
    .update({ ...progress, users_processed: knex.raw('users_processed + ?', [users]) })
}
