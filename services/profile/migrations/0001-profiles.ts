import type { Migration } from '#database'

export const profiles: Migration = {
  name: '0001-profiles',
  async up(knex) {
    // One row a user, locked by every change of the user's data. A forgotten user's row stays as a tombstone.
    await knex.raw(`
      create table profiles (
        site integer not null,
        identifier text collate "C" not null,
        prohibited boolean not null default false,
        forgotten boolean not null default false,
        combined jsonb,
        update_count integer not null default 0,
        last_updated_at timestamptz,
        data_deleted_at timestamptz,
        constraint profiles_pk primary key (site, identifier)
      )`)
    await knex.raw(`
      create table provider_profiles (
        site integer not null,
        identifier text collate "C" not null,
        provider text collate "C" not null,
        data jsonb not null,
        obtained_at timestamptz not null,
        constraint provider_profiles_pk primary key (site, identifier, provider),
        constraint provider_profiles_profile_fk foreign key (site, identifier) references profiles
      )`)
  },
}
