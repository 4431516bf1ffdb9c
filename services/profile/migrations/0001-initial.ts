import type { Migration } from '#database'

export const initial: Migration = {
  name: '0001-initial',
  async up(knex) {
    await knex.raw(`
      -- One row a user, locked by every change of the user's data. A forgotten user's row stays as a tombstone; that of a
      -- merged user tells where what arrives late goes.
      create table profiles (
        site integer not null,
        identifier text collate "C" not null,
        prohibited boolean not null default false,
        forgotten boolean not null default false,
        combined jsonb,
        update_count integer not null default 0,
        last_updated_at timestamptz,
        data_deleted_at timestamptz,
        merged_into text collate "C",
        merged_at timestamptz,
        constraint profiles_pk primary key (site, identifier),
        constraint profiles_merged_is_forgotten check (
          (merged_into is null) = (merged_at is null) and (merged_into is null or forgotten)
        )
      );

      -- Without data a row says that the provider was unlinked: nothing that was obtained until then is kept.
      create table provider_profiles (
        site integer not null,
        identifier text collate "C" not null,
        provider text collate "C" not null,
        data jsonb,
        obtained_at timestamptz not null,
        brought_at timestamptz,
        constraint provider_profiles_pk primary key (site, identifier, provider),
        constraint provider_profiles_profile_fk foreign key (site, identifier) references profiles
      );

      -- While clearing_begun_at is set, what was stored before is being deleted, user by user in the order of identifiers.
      create table site_storing (
        site integer constraint site_storing_pk primary key,
        revision integer not null,
        not_stored jsonb not null,
        stores_nothing boolean not null,
        clearing_begun_at timestamptz,
        cleared_up_to text collate "C" not null default '',
        users_looked_at integer not null default 0
      );
    `)
  },
}
