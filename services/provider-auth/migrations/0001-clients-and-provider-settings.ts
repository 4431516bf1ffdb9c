import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table clients (
      client_id text constraint clients_pk primary key,
      site integer not null,
      name text not null,
      kind text not null constraint clients_kind_known check (kind in ('confidential', 'public')),
      pkce text not null constraint clients_pkce_known check (pkce in ('optional', 'required', 'S256')),
      id_token_alg text not null constraint clients_id_token_alg_known check (id_token_alg in ('RS256', 'ES256')),
      created_at timestamptz not null default now(),
      constraint clients_public_with_pkce check (kind = 'confidential' or pkce <> 'optional')
    );
    create index clients_by_site on clients (site);

    -- Two may be live at once, so that a secret can be changed without a pause.
    create table client_secrets (
      client_id text not null constraint client_secrets_client references clients on delete cascade,
      secret_hash text not null,
      created_at timestamptz not null default now(),
      constraint client_secrets_pk primary key (client_id, secret_hash)
    );

    create table redirect_uris (
      client_id text not null constraint redirect_uris_client references clients on delete cascade,
      redirect_uri text not null,
      created_at timestamptz not null default now(),
      constraint redirect_uris_pk primary key (client_id, redirect_uri)
    );

    create table provider_settings (
      login_provider_identifier text constraint provider_settings_pk primary key,
      site integer not null,
      account text not null,
      site_id text not null,
      provider text not null,
      client_id text not null,
      client_secret bytea not null,
      official_account boolean not null,
      enabled boolean not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint provider_settings_one_per_provider unique (site, provider)
    );
  `)
}
