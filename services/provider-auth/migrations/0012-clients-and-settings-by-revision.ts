import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table clients
      add column response_types text[] not null default '{code,id_token}',
      add column revision integer not null default 1;

    alter table client_secrets
      add column secret_id uuid not null default gen_random_uuid(),
      add constraint client_secrets_secret_id_unique unique (secret_id);

    alter table provider_settings
      add column revision integer not null default 1,
      add column client_secret_expires_at timestamptz;

    -- Told before the settings are there, as people have to enter the callback address at the provider first.
    create table login_provider_identifiers (
      site integer not null,
      provider text not null,
      login_provider_identifier text not null constraint login_provider_identifiers_unique unique,
      constraint login_provider_identifiers_pk primary key (site, provider)
    );
    insert into login_provider_identifiers (site, provider, login_provider_identifier)
    select site, provider, login_provider_identifier from provider_settings;
  `)
}
