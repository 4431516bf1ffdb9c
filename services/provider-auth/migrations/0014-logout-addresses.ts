import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Where people may be sent after a logout (OpenID Connect RP-Initiated Logout 1.0, 3.1).
    alter table clients add column post_logout_redirect_uris text[] not null default '{}';
  `)
}
