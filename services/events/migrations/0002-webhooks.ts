import type { Migration } from '#database'

export const webhooks: Migration = {
  name: '0002-webhooks',
  async up(knex) {
    await knex.raw(`
      create table webhook_endpoints (
        site integer not null,
        endpoint_id uuid not null,
        -- The names of the site in events.
        account text not null,
        site_id text not null,
        name text not null,
        url text not null,
        -- Null: all types.
        types text[],
        signature text not null,
        ordered boolean not null,
        enabled boolean not null,
        -- Why the service itself paused the endpoint.
        paused_because text,
        failing_since timestamptz,
        -- Events up to this number have a delivery, or a type that is not selected.
        sequence bigint not null,
        -- The replica that sends, and until when no other one does.
        lease uuid,
        leased_until timestamptz,
        created_at timestamptz not null default now(),
        revision integer not null default 1,
        constraint webhook_endpoints_pk primary key (site, endpoint_id),
        constraint webhook_endpoints_name_unique unique (site, name)
      );

      create table webhook_secrets (
        site integer not null,
        endpoint_id uuid not null,
        secret_id uuid not null,
        secret_encrypted bytea not null,
        created_at timestamptz not null default now(),
        -- Null for the newest one.
        expires_at timestamptz,
        constraint webhook_secrets_pk primary key (site, endpoint_id, secret_id),
        constraint webhook_secrets_endpoint foreign key (site, endpoint_id) references webhook_endpoints on delete cascade
      );

      create table webhook_deliveries (
        site integer not null,
        endpoint_id uuid not null,
        sequence bigint not null,
        -- The user of the event.
        identifier text collate "C" not null,
        status text not null,
        -- The latest ones, oldest first, as in the contract.
        attempts jsonb not null,
        -- How many attempts were made since it was last requested.
        tries integer not null,
        -- Null if it waits for an earlier delivery of the user, and if there is no further attempt.
        next_attempt_at timestamptz,
        constraint webhook_deliveries_pk primary key (site, endpoint_id, sequence),
        constraint webhook_deliveries_endpoint foreign key (site, endpoint_id) references webhook_endpoints on delete cascade
      );
      create index webhook_deliveries_due on webhook_deliveries (site, endpoint_id, next_attempt_at)
        where next_attempt_at is not null;
      create index webhook_deliveries_waiting on webhook_deliveries (site, endpoint_id, identifier, sequence)
        where status = 'waiting';
      create index webhook_deliveries_failed on webhook_deliveries (site, endpoint_id, sequence) where status = 'failed';
    `)
  },
}
