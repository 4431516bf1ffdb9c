import type { Migration } from '#database'

/** Roles in single sites, and sign-in of an account's members at its own OpenID provider. */
export const memberSignIn: Migration = {
  name: '0007-member-sign-in',
  async up(knex) {
    await knex.raw(`
      -- A table of its own: a release that does not know roles in sites must not take one for a role in the account.
      create table member_site_roles (
        member_id uuid not null constraint member_site_roles_member_fk references members on delete cascade,
        account text collate "C" not null,
        site_id text collate "C" not null,
        role text not null constraint member_site_roles_role check (role in ('viewer', 'editor', 'owner')),
        constraint member_site_roles_pk primary key (member_id, account, site_id)
      );
      create index member_site_roles_account on member_site_roles (account);

      -- Of single sites, by site_id. The role is then 'none' if there is no role in the account, which earlier releases reject.
      alter table invitations
        add column site_roles jsonb not null default '{}',
        drop constraint invitations_role,
        add constraint invitations_role check (role in ('viewer', 'editor', 'owner', 'none'));

      create sequence account_provider_revisions;
      create table account_providers (
        account text collate "C" constraint account_providers_pk primary key,
        issuer text collate "C" not null,
        client_id text not null,
        client_secret_encrypted bytea not null,
        client_authentication text not null,
        scopes text[] not null,
        trust_email boolean not null,
        -- Members of the account can sign in only at this provider.
        required boolean not null,
        role_claim text,
        role_rules jsonb not null,
        default_role text constraint account_providers_default_role check (default_role in ('viewer', 'editor', 'owner')),
        -- Never repeated, also not by a provider that is added after a removal.
        revision bigint not null default nextval('account_provider_revisions')
      );

      create table account_domains (
        account text collate "C" not null,
        domain text collate "C" not null,
        token text collate "C" not null,
        created_at timestamptz not null,
        proven_by text constraint account_domains_proven_by check (proven_by in ('dns', 'operator')),
        proven_at timestamptz,
        constraint account_domains_pk primary key (account, domain),
        constraint account_domains_proof check ((proven_by is null) = (proven_at is null))
      );
      -- Any account can claim a domain, and one can prove it.
      create unique index account_domains_proven_unique on account_domains (domain) where proven_at is not null;

      -- The account whose provider authenticates the member: they have roles in this account only, and no passkeys.
      alter table members add column managed_by text collate "C";

      create table account_identities (
        account text collate "C" not null,
        issuer text collate "C" not null,
        subject text collate "C" not null,
        member_id uuid not null constraint account_identities_member_fk references members on delete cascade,
        last_signed_in_at timestamptz not null,
        constraint account_identities_pk primary key (account, issuer, subject)
      );
      create index account_identities_member on account_identities (member_id);

      -- Of an account's provider, with the revision of its settings; null: of the operator's own provider.
      alter table pending_sign_ins
        add column account text collate "C",
        add column provider_revision bigint,
        -- The result is stored for the owner who tests the provider; no one is signed in.
        add column test_id uuid;

      create table sign_in_tests (
        test_id uuid constraint sign_in_tests_pk primary key,
        account text collate "C" not null,
        result jsonb not null,
        expires_at timestamptz not null
      );
    `)
  },
}
