import type { Migration } from '#database'

export const statuses: Migration = {
  name: '0001-statuses',
  async up(knex) {
    // A forgotten user's row stays, empty, so that a late status is not kept.
    await knex.raw(`
      create table statuses (
        site integer not null,
        identifier text collate "C" not null,
        friendship_status boolean,
        friendship_status_updated_at timestamptz,
        forgotten boolean not null default false,
        constraint statuses_pk primary key (site, identifier)
      )`)
  },
}
