import type { Knex } from 'knex'

/** What members did. */
export async function createAuditTrail(knex: Knex): Promise<void> {
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
      after jsonb,
      -- Whether its outcome was known at once; audit_ends has that of the other entries.
      at_once boolean not null default true
    );
    create index audit_entries_account on audit_entries (account, entry);
    create index audit_entries_site on audit_entries (account, site_id, entry);

    -- No foreign key: its check would lock the entry, which the service's own role may not.
    create table audit_ends (
      entry bigint constraint audit_ends_pk primary key,
      at timestamptz not null,
      outcome text collate "C" not null constraint audit_ends_outcome check (outcome in ('done', 'refused')),
      fault text collate "C",
      before jsonb,
      after jsonb,
      constraint audit_ends_refused_by_a_fault check ((outcome = 'refused') = (fault is not null))
    );

    -- Whoever has the service's own role, or a statement injected into it, can add to the trail and nothing else.
    create function audit_entries_stay() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit trail is only ever added to' using errcode = 'insufficient_privilege';
    end $$;
    create trigger audit_entries_stay before update or delete or truncate on audit_entries
      for each statement execute function audit_entries_stay();
    create trigger audit_ends_stay before update or delete or truncate on audit_ends
      for each statement execute function audit_entries_stay();
    revoke update, delete, truncate on audit_entries, audit_ends from current_user;
  `)
}
