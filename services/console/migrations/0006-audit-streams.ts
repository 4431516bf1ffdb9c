import type { Migration } from '#database'

/** Adds streams that send the audit trail to other systems, and the order in which they send it. */
export const auditStreams: Migration = {
  name: '0006-audit-streams',
  async up(knex) {
    await knex.raw(`
      -- What streams send: entries, and outcomes that were added later.
      create table audit_records (
        record bigint generated always as identity constraint audit_records_pk primary key,
        record_id uuid not null default gen_random_uuid(),
        entry bigint not null,
        part text collate "C" not null constraint audit_records_part check (part in ('entry', 'outcome')),
        account text collate "C",
        -- When the record is due. An entry without an outcome waits for it until then.
        due_at timestamptz not null,
        -- Numbers without gaps in the order in which records became visible. Null: not placed yet.
        position bigint constraint audit_records_position_unique unique,
        constraint audit_records_entry_unique unique (entry, part)
      );
      create index audit_records_unplaced on audit_records (record) where position is null;
      create index audit_records_account on audit_records (account, position) where account is not null;

      -- One row. Its lock is held while records are placed, so positions become visible in their order.
      create table audit_placement (
        only_row boolean constraint audit_placement_pk primary key default true constraint audit_placement_one_row check (only_row),
        last_position bigint not null default 0
      );

      -- The triggers lock out writers until this migration is committed, so each existing entry gets its records once.
      create function audit_entries_add_record() returns trigger language plpgsql as $$
      begin
        insert into audit_records (entry, part, account, due_at)
        values (new.entry, 'entry', new.account,
          clock_timestamp() + case when new.outcome_known then interval '0' else interval '1 minute' end);
        return null;
      end $$;
      create trigger audit_entries_add_record after insert on audit_entries
        for each row execute function audit_entries_add_record();
      create function audit_outcomes_add_record() returns trigger language plpgsql as $$
      begin
        insert into audit_records (entry, part, account, due_at)
        select new.entry, 'outcome', e.account, clock_timestamp() from audit_entries e where e.entry = new.entry;
        return null;
      end $$;
      create trigger audit_outcomes_add_record after insert on audit_outcomes
        for each row execute function audit_outcomes_add_record();

      insert into audit_records (entry, part, account, due_at, position)
      select entry, part, account, at, row_number() over (order by at, entry, part) from (
        select e.entry, e.account, coalesce(x.at, e.at) as at,
          case when x.entry is null then 'entry' else 'outcome' end as part
        from audit_entries e left join audit_outcomes x on x.entry = e.entry
      ) as complete order by at, entry, part;
      insert into audit_placement (last_position) select count(*) from audit_records;

      -- A placed record is part of the audit trail: it is never changed or removed.
      create function audit_records_placed_once() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
      end $$;
      create trigger audit_records_placed_once before update or delete on audit_records
        for each row when (old.position is not null) execute function audit_records_placed_once();
      create trigger audit_records_not_truncated before truncate on audit_records
        for each statement execute function audit_records_placed_once();
      revoke truncate on audit_records from current_user;

      create table audit_streams (
        stream_id uuid constraint audit_streams_pk primary key,
        -- Null: the whole installation.
        account text collate "C",
        name text not null,
        kind text collate "C" not null constraint audit_streams_kind check (kind in ('webhook', 'otlp', 'syslog')),
        -- Where records are sent, by kind, without secrets.
        destination jsonb not null,
        enabled boolean not null,
        -- Records up to this position were received.
        cursor bigint not null,
        sent bigint not null default 0,
        -- Failed attempts since the last successful one.
        attempts integer not null default 0,
        next_attempt_at timestamptz not null default now(),
        last_success_at timestamptz,
        failing_since timestamptz,
        last_error jsonb,
        -- The replica that sends, and until when no other one does.
        lease uuid,
        leased_until timestamptz,
        created_at timestamptz not null default now(),
        revision integer not null default 1
      );
      create unique index audit_streams_name_unique on audit_streams (coalesce(account, ''), name);

      -- Of a webhook its signing secrets, of others at most one: the headers, or the private key.
      create table audit_stream_secrets (
        stream_id uuid not null constraint audit_stream_secrets_stream_fk references audit_streams on delete cascade,
        secret_id uuid not null,
        secret_encrypted bytea not null,
        created_at timestamptz not null default now(),
        -- Null for the newest one.
        expires_at timestamptz,
        constraint audit_stream_secrets_pk primary key (stream_id, secret_id)
      );
    `)
  },
}
