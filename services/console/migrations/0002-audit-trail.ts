import type { Migration } from '#database'

export const auditTrail: Migration = {
  name: '0002-audit-trail',
  async up(knex) {
    await knex.raw(`
      create table audit_entries (
        entry bigint generated always as identity constraint audit_entries_pk primary key,
        at timestamptz not null,
        act text collate "C" not null,
        account text collate "C",
        site_id text collate "C",
        actor text not null,
        member_id uuid,
        token_id uuid,
        address text not null,
        request_id uuid not null,
        before jsonb,
        after jsonb
      )`)
    await knex.raw('create index audit_entries_account on audit_entries (account, entry)')
    await knex.raw('create index audit_entries_site on audit_entries (account, site_id, entry)')
    // Whoever has the service's own role, or a statement injected into it, can add to the trail and nothing else.
    await knex.raw(`
      create function audit_entries_stay() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit trail is only ever added to' using errcode = 'insufficient_privilege';
      end $$`)
    await knex.raw(`
      create trigger audit_entries_stay before update or delete or truncate on audit_entries
        for each statement execute function audit_entries_stay()`)
    await knex.raw('revoke update, delete, truncate on audit_entries from current_user')
  },
}
