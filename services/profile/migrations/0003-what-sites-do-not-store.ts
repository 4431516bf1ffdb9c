import type { Migration } from '#database'

export const whatSitesDoNotStore: Migration = {
  name: '0003-what-sites-do-not-store',
  async up(knex) {
    // While clearing_begun_at is set, what was stored before is being deleted, user by user in the order of identifiers.
    await knex.raw(`
      create table site_storing (
        site integer constraint site_storing_pk primary key,
        revision integer not null,
        not_stored jsonb not null,
        stores_nothing boolean not null,
        clearing_begun_at timestamptz,
        cleared_up_to text collate "C" not null default '',
        users_looked_at integer not null default 0
      )`)
  },
}
