import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What arrives late about a merged user is the destination's, if it came by one of the accounts that moved.
    alter table forgotten_users
      add column merged_into text,
      add column merged_at timestamptz,
      add column merged_providers text[],
      add constraint forgotten_users_merge_whole check (
        (merged_into is null) = (merged_at is null) and (merged_into is null) = (merged_providers is null)
      );

    -- What a login brought before is not kept when it arrives late.
    create table unlinked_providers (
      site integer not null,
      identifier text not null,
      provider text not null,
      unlinked_at timestamptz not null,
      constraint unlinked_providers_pk primary key (site, identifier, provider)
    );

    -- When the login, link or merge was recorded that brought it to the user, by the clock that also orders unlinks.
    alter table credentials add column recorded_at timestamptz not null default now();
    alter table authorization_codes add column recorded_at timestamptz not null default now();

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
      recorded_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index one_time_tokens_by_user on one_time_tokens (site, identifier);
    create index one_time_tokens_by_expiry on one_time_tokens (expires_at);
  `)
}
