import type { Knex } from 'knex'

/** Reports of the other services: usage, requests, rejections and the state of the providers. */
export async function createActivity(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Reports that were counted, so that a repeated report is not counted again.
    create table reports (
      source uuid not null,
      sequence bigint not null,
      received_at timestamptz not null default now(),
      primary key (source, sequence)
    );
    create index reports_received_at on reports (received_at);

    -- Calls of a site in the minute, hour or day that starts at "at".
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

    create table usage_responses (
      site integer not null,
      span text not null check (span in ('hour', 'day')),
      at timestamptz not null,
      operation text not null,
      code integer not null,
      calls bigint not null,
      primary key (site, span, at, operation, code)
    );
    create index usage_responses_at on usage_responses (span, at);

    -- An empty address combines those that were not reported individually.
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

    create table usage_logins (
      site integer not null,
      span text not null check (span in ('hour', 'day')),
      at timestamptz not null,
      provider text not null,
      step text not null,
      count bigint not null,
      primary key (site, span, at, provider, step)
    );
    create index usage_logins_at on usage_logins (span, at);

    create table provider_calls (
      minute timestamptz not null,
      provider text not null,
      calls bigint not null,
      failed bigint not null,
      primary key (minute, provider)
    );

    -- The last reported circuit of each provider, by replica.
    create table provider_circuits (
      source uuid not null,
      provider text not null,
      state text not null,
      reported_at timestamptz not null,
      primary key (source, provider)
    );

    -- Results of single Web API requests. Without a site: the key does not belong to any site.
    create table requests (
      request_id uuid primary key,
      at timestamptz not null,
      site integer,
      api_key_id uuid,
      address text,
      operation text not null,
      status smallint not null,
      code integer,
      remaining bigint,
      duration_ms double precision not null,
      parameter text,
      reason text,
      documentation text,
      unknown_parameters text[] not null default '{}'
    );
    create index requests_site_at on requests (site, at desc);
    create index requests_at on requests (at);

    -- Rejected requests to the authorization and token endpoints. Without a site: they named no existing site or client.
    create table rejections (
      request_id uuid constraint rejections_pk primary key,
      at timestamptz not null,
      site integer,
      endpoint text not null,
      client_id text collate "C",
      redirect_uri text,
      registered_redirect_uris text[] not null,
      error text,
      error_description text,
      reason text not null
    );
    create index rejections_site_at on rejections (site, at desc);
    create index rejections_client_at on rejections (site, client_id, at desc);
    create index rejections_at on rejections (at);
  `)
}
