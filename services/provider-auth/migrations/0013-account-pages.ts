import type { Migration } from '#database'

/** Adds which sites have an account page for their end users. */
export const accountPagesMigration: Migration = {
  name: '0013-account-pages',
  async up(knex) {
    await knex.raw(`
      create table account_pages (
        site integer constraint account_pages_pk primary key,
        enabled boolean not null,
        revision bigint not null
      );
      create constraint trigger account_pages_change after insert or update or delete on account_pages
        deferrable initially deferred for each row execute function increment_settings_revision();
    `)
  },
}
