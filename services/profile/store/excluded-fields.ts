import type { Knex } from 'knex'
import type { ExcludedFields } from '#contracts'
import { defineStatement } from '#database'
import { excludesEverything } from '../domain/excluded-fields.ts'

/** First key of the advisory locks for excluded fields. An arbitrary number that is unique in this service. */
const lockClass = 7_305_002

/** SQL that locks a site's excluded fields until the transaction ends, shared with others that store data. */
export function lockExcludedFieldsShared(site: string): string {
  return `pg_advisory_xact_lock_shared(${lockClass}, ${site})`
}

const lockShared = defineStatement(`select ${lockExcludedFieldsShared('$1')}`)
const selectFields = defineStatement<{ fields: ExcludedFields }>('select fields from excluded_fields where site = $1')

/**
 * Reads a site's excluded fields and locks them until the transaction ends: a change waits for transactions that store data
 * by the previous setting, and finds that data.
 */
export async function lockExcludedFields(trx: Knex.Transaction, site: number): Promise<ExcludedFields> {
  // A separate statement: the next one sees what was committed while this one waited.
  await lockShared(trx, [site])
  return (await selectFields(trx, [site])).rows[0]?.fields ?? {}
}

/**
 * Locks the settings of a site until the transaction ends, to change them: this waits for transactions that store data by the previous
 * ones.
 */
export async function lockSettings(trx: Knex.Transaction, site: number): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [lockClass, site])
}

/**
 * Stores a site's excluded fields, and starts the deletion of stored values.
 *
 * @returns false if this or a newer revision is already stored
 */
export async function upsertExcludedFields(
  trx: Knex.Transaction,
  { site, revision, fields }: { site: number; revision: number; fields: ExcludedFields },
): Promise<boolean> {
  await lockSettings(trx, site)
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into excluded_fields as known (site, revision, fields, excludes_everything, deletion_started_at)
     values (:site, :revision, :fields, :excludes_everything, now())
     on conflict (site) do update
     set revision = excluded.revision, fields = excluded.fields, excludes_everything = excluded.excludes_everything,
         deletion_started_at = excluded.deletion_started_at, deleted_up_to = '', users_processed = 0
     where known.revision < excluded.revision`,
    { site, revision, fields: JSON.stringify(fields), excludes_everything: excludesEverything(fields) },
  )
  return rowCount > 0
}

/** Progress of deleting the stored values of excluded fields. */
export interface DeletionProgress {
  /** Revision of the setting. */
  readonly revision: number
  readonly fields: ExcludedFields
  readonly deletion_started_at: Date
  readonly deleted_up_to: string
  readonly users_processed: number
}

/** Undefined if nothing is left to delete. */
export async function findDeletionProgress(knex: Knex, site: number): Promise<DeletionProgress | undefined> {
  return knex('excluded_fields')
    .where({ site })
    .whereNotNull('deletion_started_at')
    .first('revision', 'fields', 'deletion_started_at', 'deleted_up_to', 'users_processed')
}

/** Saves the progress, unless the setting changed meanwhile. @param to the last processed user; null: done */
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
