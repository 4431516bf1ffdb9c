import type { Migration } from '#database'

export const members: Migration = {
  name: '0001-members',
  async up(knex) {
    // Accounts are identity's; here they are known by their names.
    await knex.raw(`
      create table members (
        member_id uuid constraint members_pk primary key,
        name text not null,
        operator boolean not null default false,
        created_at timestamptz not null,
        last_signed_in_at timestamptz
      )`)
    // An operator's link is for a name: used again, it is for the same operator.
    await knex.raw('create unique index members_operator_name_unique on members (name) where operator')
    await knex.raw(`
      create table member_roles (
        member_id uuid not null constraint member_roles_member_fk references members on delete cascade,
        account text collate "C" not null,
        role text not null constraint member_roles_role check (role in ('viewer', 'editor', 'owner')),
        constraint member_roles_pk primary key (member_id, account)
      )`)
    await knex.raw('create index member_roles_account on member_roles (account)')
    await knex.raw(`
      create table passkeys (
        passkey_id text collate "C" constraint passkeys_pk primary key,
        member_id uuid not null constraint passkeys_member_fk references members on delete cascade,
        name text not null,
        public_key bytea not null,
        counter bigint not null,
        transports text[] not null,
        created_at timestamptz not null,
        last_used_at timestamptz
      )`)
    await knex.raw('create index passkeys_member on passkeys (member_id)')
    await knex.raw(`
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
      )`)
    await knex.raw('create index invitations_account on invitations (account)')
    await knex.raw(`
      create table challenges (
        challenge text collate "C" constraint challenges_pk primary key,
        browser_hash text collate "C" not null,
        purpose text not null constraint challenges_purpose check (purpose in ('sign_in', 'confirm', 'add')),
        member_id uuid,
        invitation_id uuid,
        expires_at timestamptz not null
      )`)
    await knex.raw(`
      create table sessions (
        session_id uuid constraint sessions_pk primary key,
        token_hash text collate "C" not null constraint sessions_token_hash_unique unique,
        member_id uuid not null constraint sessions_member_fk references members on delete cascade,
        browser text not null,
        began_at timestamptz not null,
        last_seen_at timestamptz not null,
        confirmed_at timestamptz not null
      )`)
    await knex.raw('create index sessions_member on sessions (member_id)')
    await knex.raw(`
      create table tokens (
        token_id uuid constraint tokens_pk primary key,
        token_hash text collate "C" not null constraint tokens_token_hash_unique unique,
        name text not null,
        account text collate "C",
        role text constraint tokens_role check (role in ('viewer', 'editor', 'owner')),
        created_at timestamptz not null,
        expires_at timestamptz not null,
        last_used_at timestamptz,
        constraint tokens_of_an_account_have_a_role check ((account is null) = (role is null))
      )`)
    await knex.raw('create index tokens_account on tokens (account)')
  },
}
