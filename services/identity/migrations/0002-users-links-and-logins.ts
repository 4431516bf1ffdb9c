import type { Migration } from '#database'

export const usersLinksAndLogins: Migration = {
  name: '0002-users-links-and-logins',
  async up(knex) {
    await knex.raw(`
      create table users (
        site integer not null constraint users_site_fk references sites,
        identifier text collate "C" not null,
        primary_key text collate "C",
        mapped_at timestamptz,
        last_logged_in_at timestamptz,
        last_logged_in_provider text collate "C",
        login_count integer not null default 0,
        created_at timestamptz not null,
        constraint users_pk primary key (site, identifier),
        constraint users_mapped_at_with_primary_key check ((primary_key is null) = (mapped_at is null))
      )`)
    // Partial, so that users without a primary_key or a login cost these indexes nothing.
    await knex.raw(`
      create unique index users_primary_key_unique on users (site, primary_key) where primary_key is not null`)
    await knex.raw('create index users_created on users (site, created_at)')
    // Filters by last login read this range. The price: a login's update is not heap-only and renews the row's index
    // entries, three or four of them beside a login's two inserts. login_count and the provider stay out of every index.
    await knex.raw(`
      create index users_last_logged_in on users (site, last_logged_in_at) where last_logged_in_at is not null`)
    await knex.raw(`
      create table links (
        site integer not null,
        provider text collate "C" not null,
        provider_user_id text collate "C" not null,
        identifier text collate "C" not null,
        created_at timestamptz not null,
        constraint links_pk primary key (site, provider, provider_user_id),
        constraint links_one_account_per_provider unique (site, identifier, provider),
        constraint links_user_fk foreign key (site, identifier) references users on delete cascade
      )`)
    await knex.raw(`
      create table login_history (
        login uuid constraint login_history_pk primary key,
        site integer not null,
        identifier text collate "C" not null,
        provider text collate "C" not null,
        created_user boolean not null,
        at timestamptz not null,
        constraint login_history_user_fk foreign key (site, identifier) references users on delete cascade
      )`)
    await knex.raw('create index login_history_of_user on login_history (site, identifier, at)')
  },
}
