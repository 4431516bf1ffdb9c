import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Data of a merged user are kept as the destination's.
    alter table forgotten_users add column merged_into text;
    create index forgotten_users_by_destination on forgotten_users (site, merged_into) where merged_into is not null;

    -- Whose login brought the credential: a late order about a merged user is about these alone. Null: the user's own.
    alter table credentials add column given_to text;

    -- The site's own login pages are found by these names.
    create index provider_settings_by_names on provider_settings (account, site_id, provider);

    -- One for each user, so that a new one takes the place of an earlier one.
    create table association_tokens (
      site integer not null,
      identifier text not null,
      token_hash text not null constraint association_tokens_one_each unique,
      provider text not null,
      issued_at timestamptz not null default now(),
      expires_at timestamptz not null,
      -- Hash of the cookie of the browser that opened it first, which alone may go on.
      browser text,
      constraint association_tokens_pk primary key (site, identifier)
    );
    create index association_tokens_by_expiry on association_tokens (expires_at);

    create table one_time_tokens (
      token_hash text constraint one_time_tokens_pk primary key,
      site integer not null,
      identifier text not null,
      provider text not null,
      issued_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index one_time_tokens_by_user on one_time_tokens (site, identifier);
    create index one_time_tokens_by_expiry on one_time_tokens (expires_at);
  `)
}
