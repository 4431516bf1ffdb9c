import type { Knex } from 'knex'
import { limits } from '#contracts'

/**
 * Deletes the oldest started sign-ins of a source above the limit: callers need no credential to start one. New ones are never
 * refused, so others who share the address can sign in again as soon as a flood from it stops.
 */
export async function keepNewest(knex: Knex, table: 'challenges' | 'provider_visits', source: string): Promise<void> {
  await knex.raw(
    'delete from ?? where ctid in (select ctid from ?? where source = ? order by expires_at desc offset ?)',
    [table, table, source, limits.console_pending_sign_ins],
  )
}
