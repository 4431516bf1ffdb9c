import type { Knex } from 'knex'

/** The audit trail. */
export async function createAuditTrail(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_entries (
      entry bigint generated always as identity constraint audit_entries_pk primary key,
      at timestamptz not null,
      action text collate "C" not null,
      account text collate "C",
      site_id text collate "C",
      actor text not null,
      member_id uuid,
      token_id uuid,
      address text not null,
      request_id uuid not null,
      before jsonb,
      after jsonb,
      -- Whether the change was complete when the entry was added; otherwise audit_outcomes has its outcome.
      outcome_known boolean not null default true
    );
    create index audit_entries_account on audit_entries (account, entry);
    create index audit_entries_site on audit_entries (account, site_id, entry);

    -- No foreign key: its check would lock the entry, for which the service's role has no privilege.
    create table audit_outcomes (
      entry bigint constraint audit_outcomes_pk primary key,
      at timestamptz not null,
      outcome text collate "C" not null constraint audit_outcomes_outcome check (outcome in ('succeeded', 'rejected')),
      fault text collate "C",
      before jsonb,
      after jsonb,
      constraint audit_outcomes_rejected_with_fault check ((outcome = 'rejected') = (fault is not null))
    );

    -- The service's role, and statements injected into it, can only add to the trail.
    create function audit_entries_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
    end $$;
    create trigger audit_entries_append_only before update or delete or truncate on audit_entries
      for each statement execute function audit_entries_append_only();
    create trigger audit_outcomes_append_only before update or delete or truncate on audit_outcomes
      for each statement execute function audit_entries_append_only();
    revoke update, delete, truncate on audit_entries, audit_outcomes from current_user;
  `)
}
