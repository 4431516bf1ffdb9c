import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The account a credential is of. Null: it was kept before this was, and its next login tells.
    alter table credentials add column provider_user_id text;
    create index credentials_by_account on credentials (provider, provider_user_id);

    -- What a person is shown who asks what became of a request for deletion. Nothing in it says who that was.
    create table data_deletions (
      confirmation_code text constraint data_deletions_pk primary key,
      login_provider_identifier text not null,
      completed_at timestamptz not null default now()
    );
    create index data_deletions_by_completion on data_deletions (completed_at);
  `)
}
