import type { Knex } from 'knex'
import type { Migration } from '#database'

/**
 * Adds whether statements count users (`store/count-changes.ts`) instead of triggers. Triggers count on one Postgres, also changes that
 * are made by hand or by the earlier release. A distributed table cannot have triggers.
 */
export const countsInStatements: Migration = {
  name: '0014-counts-in-statements',
  async up(knex) {
    // Immutable: the planner evaluates it, and omits the counting while it is false.
    await knex.raw('create function statements_count_users() returns boolean language sql immutable return false')
  },
}

/** From now on, statements count users and triggers do not. */
export async function countUsersInStatements(trx: Knex.Transaction): Promise<void> {
  // Dropping triggers locks the table, and lets each connection plan its statements again.
  for (const trigger of ['users_inserted', 'users_updated', 'users_deleted'])
    await trx.raw('drop trigger if exists ?? on users', [trigger])
  await trx.raw(
    'create or replace function statements_count_users() returns boolean language sql immutable return true',
  )
}
