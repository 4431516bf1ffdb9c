import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table credentials (
      site integer not null,
      identifier text not null,
      provider text not null,
      access_token bytea,
      access_secret bytea,
      refresh_token bytea,
      expires_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint credentials_pk primary key (site, identifier, provider)
    );

    -- What arrives late about a deleted user is not kept.
    create table forgotten_users (
      site integer not null,
      identifier text not null,
      forgotten_at timestamptz not null default now(),
      constraint forgotten_users_pk primary key (site, identifier)
    );
  `)
}
