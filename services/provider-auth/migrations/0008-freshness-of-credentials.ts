import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials
      -- Names the tokens of the row, wherever it is moved: other tokens, another name.
      add column token_set uuid not null default gen_random_uuid(),
      -- One who renews the tokens has them alone until then.
      add column renewing_until timestamptz,
      add column failed_renewals integer not null default 0,
      add column renew_not_before timestamptz,
      -- The provider said that only a login of the person helps.
      add column needs_reauth_at timestamptz;
    create index credentials_needing_reauth on credentials (provider) where needs_reauth_at is not null;
  `)
}
