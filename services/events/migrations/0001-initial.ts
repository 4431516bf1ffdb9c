import type { Migration } from '#database'

export const initial: Migration = {
  name: '0001-initial',
  async up(knex) {
    await knex.raw(`
      -- The row is locked while events are added, so that sequence numbers have no gaps and are in the order of the commits.
      create table sites (
        site integer constraint sites_pk primary key,
        -- Names the numbering. After a restore, which loses the newest numbers, it must get another value.
        stream uuid not null default gen_random_uuid(),
        last_sequence bigint not null default 0,
        -- Events up to this one were deleted, because they were too old.
        deleted_up_to bigint not null default 0
      );

      create table users (
        site integer not null,
        identifier text collate "C" not null,
        primary_key text collate "C",
        last_sequence integer not null,
        -- When the user was deleted, or merged into another one: no event follows.
        removed_at timestamptz,
        constraint users_pk primary key (site, identifier)
      );
      create index users_removed on users (removed_at) where removed_at is not null;

      create table events (
        site integer not null,
        sequence bigint not null,
        id uuid not null,
        type text collate "C" not null,
        "time" timestamptz not null,
        identifier text collate "C" not null,
        user_sequence integer not null,
        primary_key text collate "C",
        merged_identifier text collate "C",
        merged_primary_key text collate "C",
        -- Null if the user was deleted.
        data jsonb,
        recorded_at timestamptz not null default clock_timestamp(),
        constraint events_pk primary key (site, sequence),
        constraint events_id_unique unique (site, id)
      );
      create index events_of_user on events (site, identifier, sequence);
      create index events_of_merged_user on events (site, merged_identifier, sequence) where merged_identifier is not null;
    `)
  },
}
