import type { Migration } from '#database'

/** Adds bulk changes of users with their progress, and the users that could not be changed. */
export const bulkChanges: Migration = {
  name: '0010-bulk-changes',
  async up(knex) {
    await knex.raw(`
      create table bulk_changes (
        change_id uuid constraint bulk_changes_pk primary key,
        site integer not null,
        account text collate "C" not null,
        site_id text collate "C" not null,
        action text not null,
        filter jsonb not null,
        -- Instead of a filter: the identifiers that are not in a step yet.
        identifiers jsonb,
        selected integer,
        unlinked_provider text,
        -- What the action needs besides. Emptied at the end, because it can be personal data.
        parameters jsonb not null,
        state text not null constraint bulk_changes_state check (state in ('scheduled', 'running', 'done', 'canceled')),
        found integer not null default 0,
        changed integer not null default 0,
        unchanged integer not null default 0,
        failed integer not null default 0,
        -- The place in the list of users, and the identifiers of the step in progress.
        position jsonb,
        step jsonb,
        step_number integer not null default 0,
        all_found boolean not null default false,
        requested_by text not null,
        requested_at timestamptz not null,
        starts_at timestamptz not null,
        next_step_at timestamptz,
        ended_at timestamptz
      );
      create index bulk_changes_site on bulk_changes (site, requested_at desc);
      create index bulk_changes_due on bulk_changes (next_step_at) where next_step_at is not null;
      create index bulk_changes_ended on bulk_changes (ended_at) where ended_at is not null;
      create table bulk_change_failures (
        change_id uuid not null constraint bulk_change_failures_change references bulk_changes on delete cascade,
        number integer generated always as identity,
        identifier text collate "C" not null,
        reason text not null,
        constraint bulk_change_failures_pk primary key (change_id, number)
      )`)
  },
}
