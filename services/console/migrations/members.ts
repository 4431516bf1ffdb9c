import type { Knex } from 'knex'

/** Members, how they sign in, and tokens. */
export async function createMembers(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The identity service owns accounts; this database refers to them by name.
    create table members (
      member_id uuid constraint members_pk primary key,
      name text not null,
      operator boolean not null default false,
      created_at timestamptz not null,
      last_signed_in_at timestamptz
    );
    -- An operator's invitation is for a name: a second one is for the same operator.
    create unique index members_operator_name_unique on members (name) where operator;

    create table member_roles (
      member_id uuid not null constraint member_roles_member_fk references members on delete cascade,
      account text collate "C" not null,
      role text not null constraint member_roles_role check (role in ('viewer', 'editor', 'owner')),
      constraint member_roles_pk primary key (member_id, account)
    );
    create index member_roles_account on member_roles (account);

    create table passkeys (
      passkey_id text collate "C" constraint passkeys_pk primary key,
      member_id uuid not null constraint passkeys_member_fk references members on delete cascade,
      name text not null,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    );
    create index passkeys_member on passkeys (member_id);

    create table invitations (
      invitation_id uuid constraint invitations_pk primary key,
      token_hash text collate "C" not null constraint invitations_token_hash_unique unique,
      name text not null,
      account text collate "C",
      role text constraint invitations_role check (role in ('viewer', 'editor', 'owner')),
      signs_in boolean not null default false,
      expires_at timestamptz not null,
      constraint invitations_of_an_account_have_a_role check ((account is null) = (role is null)),
      constraint invitations_that_sign_in_are_operators check (account is null or not signs_in)
    );
    create index invitations_account on invitations (account);

    create table challenges (
      challenge text collate "C" constraint challenges_pk primary key,
      browser_hash text collate "C" not null,
      purpose text not null constraint challenges_purpose check (purpose in ('sign_in', 'confirm', 'add')),
      member_id uuid,
      invitation_id uuid,
      source text collate "C" not null default '',
      expires_at timestamptz not null
    );
    create index challenges_source on challenges (source, expires_at);

    create table sessions (
      session_id uuid constraint sessions_pk primary key,
      token_hash text collate "C" not null constraint sessions_token_hash_unique unique,
      member_id uuid not null constraint sessions_member_fk references members on delete cascade,
      browser text not null,
      started_at timestamptz not null,
      last_seen_at timestamptz not null,
      confirmed_at timestamptz not null
    );
    create index sessions_member on sessions (member_id);

    create table tokens (
      token_id uuid constraint tokens_pk primary key,
      token_hash text collate "C" not null constraint tokens_token_hash_unique unique,
      name text not null,
      account text collate "C",
      role text constraint tokens_role check (role in ('viewer', 'editor', 'owner')),
      -- The member who issued it, directly or with a token. Null: issued on the service's command line.
      issued_by uuid,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      last_used_at timestamptz,
      constraint tokens_of_an_account_have_a_role check ((account is null) = (role is null))
    );
    create index tokens_account on tokens (account);
    create index tokens_issued_by on tokens (issued_by);

    -- The identity of a member at the operator's own OpenID provider.
    create table provider_identities (
      issuer text collate "C" not null,
      subject text collate "C" not null,
      member_id uuid not null constraint provider_identities_member_fk references members on delete cascade,
      created_at timestamptz not null,
      constraint provider_identities_pk primary key (issuer, subject)
    );
    create index provider_identities_member on provider_identities (member_id);

    -- Sign-ins in progress at that provider: to sign in, to accept an invitation, or to confirm a session.
    create table pending_sign_ins (
      state_hash text collate "C" constraint pending_sign_ins_pk primary key,
      browser_hash text collate "C" not null,
      nonce text not null,
      code_verifier text not null,
      return_to text not null,
      invitation_id uuid,
      session_id uuid,
      source text collate "C" not null default '',
      started_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index pending_sign_ins_source on pending_sign_ins (source, expires_at);
  `)
}
