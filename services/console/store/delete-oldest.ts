import type { Knex } from 'knex'
import { limits } from '#contracts'

/**
 * Deletes the oldest pending sign-ins of a source above the limit, because no credential is required to start one. New ones are always
 * accepted, so that members who share the address can sign in as soon as a flood from it stops.
 */
export async function deleteOldest(
  knex: Knex,
  table: 'challenges' | 'pending_sign_ins',
  source: string,
): Promise<void> {
  await knex.raw(
    'delete from ?? where ctid in (select ctid from ?? where source = ? order by expires_at desc offset ?)',
    [table, table, source, limits.console_pending_sign_ins],
  )
}
