import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A key is published as soon as it is here, signs from activates_at until a later one of its algorithm does, and is
    -- published until withdrawn_at.
    create table signing_keys (
      kid text constraint signing_keys_pk primary key,
      alg text not null constraint signing_keys_alg_known check (alg in ('RS256', 'ES256')),
      public_jwk jsonb not null,
      private_jwk bytea not null,
      created_at timestamptz not null default now(),
      activates_at timestamptz not null,
      withdrawn_at timestamptz
    );
  `)
}
