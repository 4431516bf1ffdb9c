import type { Migration } from '#database'

export const operatorsOwnProvider: Migration = {
  name: '0003-operators-own-provider',
  async up(knex) {
    // Who a member is at the operator's own OpenID provider.
    await knex.raw(`
      create table provider_identities (
        issuer text collate "C" not null,
        subject text collate "C" not null,
        member_id uuid not null constraint provider_identities_member_fk references members on delete cascade,
        created_at timestamptz not null,
        constraint provider_identities_pk primary key (issuer, subject)
      )`)
    await knex.raw('create index provider_identities_member on provider_identities (member_id)')
    // Who is on the way there and back: to sign in, by a link to become a member, or in a session to confirm it.
    await knex.raw(`
      create table provider_visits (
        state_hash text collate "C" constraint provider_visits_pk primary key,
        browser_hash text collate "C" not null,
        nonce text not null,
        code_verifier text not null,
        return_to text not null,
        invitation_id uuid,
        session_id uuid,
        began_at timestamptz not null,
        expires_at timestamptz not null
      )`)
  },
}
