import type { Migration } from '#database'

export const sitesAndApiKeys: Migration = {
  name: '0001-sites-and-api-keys',
  async up(knex) {
    await knex.raw(`
      create table sites (
        site integer generated always as identity constraint sites_pk primary key,
        account text collate "C" not null,
        site_id text collate "C" not null,
        name text not null,
        requests_per_window integer not null,
        allowed_addresses text[] not null default '{}',
        fixed_address_option boolean not null default false,
        revision bigint not null,
        created_at timestamptz not null default now(),
        constraint sites_account_site_id_unique unique (account, site_id),
        constraint sites_revision_unique unique (revision)
      )`)
    // One row, updated by every change of a site before anything else: changes become visible in the order of their revisions.
    await knex.raw(`
      create table site_revisions (
        only_row boolean constraint site_revisions_pk primary key default true constraint site_revisions_one_row check (only_row),
        newest bigint not null
      )`)
    await knex.raw('insert into site_revisions (newest) values (0)')
    await knex.raw(`
      create table api_keys (
        api_key_id uuid constraint api_keys_pk primary key,
        site integer not null constraint api_keys_site_fk references sites,
        name text not null,
        key_hash text collate "C" not null constraint api_keys_key_hash_unique unique,
        last_four text not null,
        created_at timestamptz not null default now(),
        revoked_at timestamptz
      )`)
    await knex.raw('create index api_keys_live on api_keys (site) where revoked_at is null')
  },
}
