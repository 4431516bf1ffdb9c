import type { Migration } from '#database'

/** Adds the log of logins. */
export const logins: Migration = {
  name: '0004-logins',
  async up(knex) {
    await knex.raw(`
      -- One row for each site that has logins.
      create table login_logs (
        site integer constraint login_logs_pk primary key,
        -- Of the newest report. Its row is locked until the report is committed, so positions become visible in their order.
        position bigint not null,
        reported_at timestamptz not null,
        -- Earlier logins can be missing: there were too many.
        complete_since timestamptz
      );

      create table logins (
        site integer not null,
        login_id uuid not null,
        -- The start; while it is unknown, the earliest reported time.
        at timestamptz not null,
        -- Null while the start is unknown; then the log does not show the login.
        kind text,
        provider text collate "C",
        client_id text collate "C",
        is_test boolean,
        browser text,
        country text,
        started_by uuid,
        returned_at timestamptz,
        ended_at timestamptz,
        end_result text,
        end_reason text,
        error text,
        identifier text collate "C",
        is_new_user boolean,
        has_code boolean,
        provider_ms integer,
        recording_ms integer,
        callback_ms integer,
        ended_by uuid,
        redeemed_at timestamptz,
        redemption_rejected_at timestamptz,
        redemption_reason text,
        -- Of the report that ended the login.
        position bigint,
        -- A login whose code could not be exchanged is not completed. "waiting" does not say for how long.
        result text not null generated always as (
          case when end_result is null then 'waiting'
               when end_result = 'completed' and redeemed_at is null and redemption_reason is not null then 'rejected'
               else end_result end) stored,
        reason text generated always as (
          case when end_result = 'completed' and redeemed_at is null then redemption_reason else end_reason end) stored,
        -- Of a code that was not exchanged yet.
        code_issued_at timestamptz generated always as (
          case when has_code and redeemed_at is null and redemption_reason is null then ended_at end) stored,
        constraint logins_pk primary key (site, login_id)
      );
      -- Contains what filters and groups compare, so that they read no other rows of the table.
      create index logins_log on logins (site, at desc, login_id desc)
        include (kind, provider, client_id, result, reason, code_issued_at);
      create index logins_identifier on logins (site, identifier, at desc) where identifier is not null;
      create index logins_position on logins (site, position, login_id) where position is not null;
      create index logins_at on logins (at);
      -- The index alone is read only where autovacuum has been since the last change.
      alter table logins set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02);

      alter table rejections
        add column kind text,
        add column provider text,
        add column browser text,
        add column country text,
        -- The login whose code was to be exchanged, which shows the rejection.
        add column login_id uuid,
        add column position bigint;
      create index rejections_position on rejections (site, position, request_id) where position is not null;
      create index rejections_login on rejections (site, login_id) where login_id is not null;
    `)
  },
}
