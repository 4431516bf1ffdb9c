import type { Migration } from '#database'

export const auditEnds: Migration = {
  name: '0014-audit-ends',
  async up(knex) {
    // Told at once: in one transaction with its change, or after it. Of the other entries audit_ends tells how they ended.
    await knex.raw('alter table audit_entries add column at_once boolean not null default true')
    // No foreign key: its check would lock the entry, which the service's own role may not.
    await knex.raw(`
      create table audit_ends (
        entry bigint constraint audit_ends_pk primary key,
        at timestamptz not null,
        outcome text collate "C" not null constraint audit_ends_outcome check (outcome in ('done', 'refused')),
        fault text collate "C",
        before jsonb,
        after jsonb,
        constraint audit_ends_refused_by_a_fault check ((outcome = 'refused') = (fault is not null))
      )`)
    await knex.raw(`
      create trigger audit_ends_stay before update or delete or truncate on audit_ends
        for each statement execute function audit_entries_stay()`)
    await knex.raw('revoke update, delete, truncate on audit_ends from current_user')
  },
}
