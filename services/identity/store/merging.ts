import type { Knex } from 'knex'
import { removeUser, type UserKey } from './users.ts'

/**
 * Removes the source, and gives the destination what was the source's: the mapping if it has none, the logins' count, the
 * later last login, the earlier creation. Both were locked before, and the source's links and logins moved.
 */
export async function absorbUser(trx: Knex.Transaction, source: UserKey, destination: UserKey): Promise<void> {
  const absorbed = await trx('users').where({ site: source.site, identifier: source.identifier }).first()
  // First, so that its primary_key is free.
  await removeUser(trx, source)
  await trx.raw(
    `update users set
       primary_key = coalesce(primary_key, :primary_key),
       mapped_at = case when primary_key is null then :mapped_at else mapped_at end,
       login_count = login_count + :login_count,
       last_logged_in_provider = case
         when last_logged_in_at is null or last_logged_in_at < :last_logged_in_at then :last_logged_in_provider
         else last_logged_in_provider end,
       last_logged_in_at = greatest(last_logged_in_at, :last_logged_in_at),
       created_at = least(created_at, :created_at)
     where site = :site and identifier = :identifier`,
    { ...absorbed, ...destination },
  )
}
