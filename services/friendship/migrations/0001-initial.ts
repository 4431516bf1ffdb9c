import type { Migration } from '#database'

export const initial: Migration = {
  name: '0001-initial',
  async up(knex) {
    await knex.raw(`
      -- A forgotten user's row stays, empty, so that a late status is not kept; that of a merged user tells where what
      -- arrives late goes. A status that is null at a time says that the provider was unlinked then: nothing obtained until
      -- then is kept.
      create table statuses (
        site integer not null,
        identifier text collate "C" not null,
        friendship_status boolean,
        friendship_status_updated_at timestamptz,
        forgotten boolean not null default false,
        brought_at timestamptz,
        merged_into text collate "C",
        merged_at timestamptz,
        constraint statuses_pk primary key (site, identifier),
        constraint statuses_merged_is_forgotten check (
          (merged_into is null) = (merged_at is null) and (merged_into is null or forgotten)
        )
      );
    `)
  },
}
