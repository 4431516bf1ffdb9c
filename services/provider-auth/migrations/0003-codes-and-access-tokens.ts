import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A row outlives its code: it is what the code's access token tells, and how a second use is known.
    create table authorization_codes (
      code_hash text constraint authorization_codes_pk primary key,
      client_id text not null constraint authorization_codes_client references clients on delete cascade,
      redirect_uri text not null,
      site integer not null,
      identifier text not null,
      provider text not null,
      provider_user_id text not null,
      scope text[] not null,
      nonce text,
      code_challenge text,
      code_challenge_method text,
      auth_time timestamptz not null,
      claims bytea not null,
      expires_at timestamptz not null,
      consumed_at timestamptz,
      -- Presented again after it was consumed: what was issued for it is void.
      revoked_at timestamptz,
      constraint authorization_codes_challenge_whole check ((code_challenge is null) = (code_challenge_method is null))
    );
    create index authorization_codes_by_client on authorization_codes (client_id);
    create index authorization_codes_by_user on authorization_codes (site, identifier);
    create index authorization_codes_by_expiry on authorization_codes (expires_at);

    create table access_tokens (
      token_hash text constraint access_tokens_pk primary key,
      code_hash text not null constraint access_tokens_code references authorization_codes on delete cascade,
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    );
    create index access_tokens_by_code on access_tokens (code_hash);
  `)
}
