import type { Migration } from '#database'

/**
 * Adds when a user was deleted or imported last, by identity's clock: a deleted user whose identifier is imported again exists, and a
 * deletion from before the import that arrives late is ignored.
 */
export const decidedAt: Migration = {
  name: '0002-decided-at',
  async up(knex) {
    await knex.raw('alter table profiles add column decided_at timestamptz')
  },
}
