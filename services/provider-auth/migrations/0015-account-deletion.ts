import type { Migration } from '#database'

/** Adds how long end users wait who ask to be deleted; null: they cannot ask. */
export const accountDeletionMigration: Migration = {
  name: '0015-account-deletion',
  async up(knex) {
    await knex.raw('alter table account_pages add column deletion_waiting_days smallint')
  },
}
