import type { Migration } from '#database'

/** Adds the tokens of native apps, the ID Tokens that apps have logged in with, and who may exchange providers' tokens. */
export const nativeLogins: Migration = {
  name: '0004-native-logins',
  async up(knex) {
    await knex.raw(`
      alter table credentials
        add column client_access_token bytea,
        add column client_refresh_token bytea,
        add column client_expires_at timestamptz,
        -- When identity recorded the login that the app's tokens came from.
        add column client_recorded_at timestamptz;

      alter table clients add column token_exchange boolean not null default false;

      -- Each is accepted once. A row outlives its token.
      create table used_id_tokens (
        site integer not null,
        token_hash text not null,
        expires_at timestamptz not null,
        constraint used_id_tokens_pk primary key (site, token_hash)
      );
      create index used_id_tokens_by_expiry on used_id_tokens (expires_at);
    `)
  },
}
