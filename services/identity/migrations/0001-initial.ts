import { commandsTable, type Migration } from '#database'
import { createUserCounts } from './user-counts.ts'

export const initial: Migration = {
  name: '0001-initial',
  async up(knex) {
    await knex.raw(`
      create table accounts (
        account text collate "C" constraint accounts_pk primary key,
        name text not null,
        revision integer not null default 1,
        created_at timestamptz not null default now()
      );

      create table sites (
        site integer generated always as identity constraint sites_pk primary key,
        account text collate "C" not null constraint sites_account_fk references accounts,
        site_id text collate "C" not null,
        name text not null,
        requests_per_window integer not null,
        allowed_addresses text[] not null default '{}',
        fixed_address_option boolean not null default false,
        kind text not null default 'production',
        domains text[] not null default '{}',
        profile_not_stored jsonb not null default '{}',
        -- Null: as long as the user exists.
        login_history_days integer constraint sites_login_history_days check (login_history_days > 0),
        provider_order text[] not null default '{}',
        provider_names jsonb not null default '{}',
        -- revision orders all changes that gateways replicate; settings_revision counts changes of the settings.
        revision bigint not null,
        settings_revision integer not null default 1,
        created_at timestamptz not null default now(),
        constraint sites_account_site_id_unique unique (account, site_id),
        constraint sites_revision_unique unique (revision)
      );

      -- One row, updated first by every change of a site, so that changes become visible in the order of their revisions.
      create table site_revisions (
        only_row boolean constraint site_revisions_pk primary key default true constraint site_revisions_one_row check (only_row),
        newest bigint not null
      );
      insert into site_revisions (newest) values (0);

      create table api_keys (
        api_key_id uuid constraint api_keys_pk primary key,
        site integer not null constraint api_keys_site_fk references sites,
        name text not null,
        key_hash text collate "C" not null constraint api_keys_key_hash_unique unique,
        last_four text not null,
        created_at timestamptz not null default now(),
        revoked_at timestamptz
      );
      create index api_keys_live on api_keys (site) where revoked_at is null;
      create index api_keys_of_site on api_keys (site, created_at);

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
      );
      -- Partial: users without a primary_key are not in the index.
      create unique index users_primary_key_unique on users (site, primary_key) where primary_key is not null;
      -- For filters by last login. The cost: the update of a login is not heap-only and renews the row's index entries.
      -- login_count and the provider are in no index.
      create index users_last_logged_in on users (site, last_logged_in_at, identifier) include (primary_key)
        where last_logged_in_at is not null;
      -- For filters by mapping, in the order of identifiers; every user is in one of the two.
      create index users_mapped on users (site, identifier) where primary_key is not null;
      create index users_not_mapped on users (site, identifier) where primary_key is null;

      create table links (
        site integer not null,
        provider text collate "C" not null,
        provider_user_id text collate "C" not null,
        identifier text collate "C" not null,
        -- Other services store data of the account under this ID.
        link_id uuid not null default gen_random_uuid(),
        created_at timestamptz not null,
        constraint links_pk primary key (site, provider, provider_user_id),
        constraint links_one_account_per_provider unique (site, identifier, provider),
        constraint links_user_fk foreign key (site, identifier) references users on delete cascade
      );

      create table login_history (
        site integer not null,
        login uuid not null,
        identifier text collate "C" not null,
        provider text collate "C" not null,
        created_user boolean not null,
        at timestamptz not null,
        constraint login_history_pk primary key (site, login),
        constraint login_history_user_fk foreign key (site, identifier) references users on delete cascade
      );
      create index login_history_of_user on login_history (site, identifier, at);
      -- Rows are in the order of time, so a BRIN index finds old logins at almost no cost per login.
      create index login_history_at on login_history using brin (at);

      create table stored_responses (
        site integer not null,
        idempotency_key text collate "C" not null,
        request text collate "C" not null,
        command uuid not null,
        claimed_until timestamptz not null,
        expires_at timestamptz not null,
        response text,
        -- The user whose data the response shows.
        identifier text collate "C",
        constraint stored_responses_pk primary key (site, idempotency_key),
        constraint stored_responses_command_unique unique (site, command),
        constraint stored_responses_user_fk foreign key (site, identifier) references users on delete cascade
      );
      create index stored_responses_expiring on stored_responses (expires_at);
      create index stored_responses_of_user on stored_responses (site, identifier) where identifier is not null;
${commandsTable}    `)
    await createUserCounts(knex)
  },
}
