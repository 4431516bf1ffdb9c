import type { Knex } from 'knex'
import type { ProfileNotStored } from '#contracts'
import { storesNothing } from '../domain/not-stored.ts'

/** First key of the advisory locks of sites' storing. Any number that nobody else here uses. */
const lockClass = 7_305_002

/**
 * What a site does not store, which stays so until the transaction ends: a change of it waits for those who store by what
 * was before, and finds what they stored.
 */
export async function lockNotStored(trx: Knex.Transaction, site: number): Promise<ProfileNotStored> {
  // A statement of its own: the next one sees what was committed while this one waited.
  await trx.raw('select pg_advisory_xact_lock_shared(?, ?)', [lockClass, site])
  const row: { not_stored: ProfileNotStored } | undefined = await trx('site_storing')
    .where({ site })
    .first('not_stored')
  return row?.not_stored ?? {}
}

/**
 * Keeps what a site does not store, and that what is stored of it is to be cleared.
 *
 * @returns false when this or something newer is known already
 */
export async function upsertNotStored(
  trx: Knex.Transaction,
  { site, revision, not_stored }: { site: number; revision: number; not_stored: ProfileNotStored },
): Promise<boolean> {
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [lockClass, site])
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `insert into site_storing as known (site, revision, not_stored, stores_nothing, clearing_begun_at)
     values (:site, :revision, :not_stored, :stores_nothing, now())
     on conflict (site) do update
     set revision = excluded.revision, not_stored = excluded.not_stored, stores_nothing = excluded.stores_nothing,
         clearing_begun_at = now(), cleared_up_to = '', users_looked_at = 0
     where known.revision < excluded.revision`,
    { site, revision, not_stored: JSON.stringify(not_stored), stores_nothing: storesNothing(not_stored) },
  )
  return rowCount > 0
}

/** How far clearing what a site does not store has come. */
export interface Clearing {
  /** Of the setting it is for. */
  readonly revision: number
  readonly not_stored: ProfileNotStored
  readonly clearing_begun_at: Date
  readonly cleared_up_to: string
  readonly users_looked_at: number
}

/** Undefined when nothing is left to do. */
export async function findClearing(knex: Knex, site: number): Promise<Clearing | undefined> {
  return knex('site_storing')
    .where({ site })
    .whereNotNull('clearing_begun_at')
    .first('revision', 'not_stored', 'clearing_begun_at', 'cleared_up_to', 'users_looked_at')
}

/** Marks the progress, unless the setting was changed meanwhile. @param to the last user looked at; null: there are no more */
export async function updateClearing(
  knex: Knex,
  site: number,
  revision: number,
  { to, users }: { to: string | null; users: number },
): Promise<void> {
  const progress = to === null ? { clearing_begun_at: null } : { cleared_up_to: to }
  await knex('site_storing')
    .where({ site, revision })
    .update({ ...progress, users_looked_at: knex.raw('users_looked_at + ?', [users]) })
}
