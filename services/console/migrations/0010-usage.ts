import type { Migration } from '#database'

export const usage: Migration = {
  name: '0010-usage',
  async up(knex) {
    await knex.raw(`
      -- Reports that were counted, so that one that comes again is not.
      create table reports (
        source uuid not null,
        sequence bigint not null,
        received_at timestamptz not null default now(),
        primary key (source, sequence)
      );
      create index reports_received_at on reports (received_at);

      -- Calls of a site in a minute, hour or day that begins at a time.
      create table usage_calls (
        site integer not null,
        span text not null check (span in ('minute', 'hour', 'day')),
        at timestamptz not null,
        calls bigint not null,
        limited bigint not null,
        busiest_minute bigint not null,
        primary key (site, span, at)
      );
      create index usage_calls_at on usage_calls (span, at);

      create table usage_answers (
        site integer not null,
        span text not null check (span in ('hour', 'day')),
        at timestamptz not null,
        operation text not null,
        code integer not null,
        calls bigint not null,
        primary key (site, span, at, operation, code)
      );
      create index usage_answers_at on usage_answers (span, at);

      -- An empty address stands for those that were not told one by one.
      create table usage_callers (
        site integer not null,
        span text not null check (span in ('minute', 'hour')),
        at timestamptz not null,
        api_key_id uuid not null,
        address text not null,
        calls bigint not null,
        last_at timestamptz not null,
        primary key (site, span, at, api_key_id, address)
      );
      create index usage_callers_at on usage_callers (span, at);

      create table usage_keys (
        api_key_id uuid primary key,
        site integer not null,
        last_used_at timestamptz not null
      );
      create index usage_keys_site on usage_keys (site);
    `)
  },
}
