import type { Migration } from '#database'
import { createActivity } from './activity.ts'
import { createAuditTrail } from './audit-trail.ts'
import { createMembers } from './members.ts'

export const initial: Migration = {
  name: '0001-initial',
  async up(knex) {
    await createMembers(knex)
    await createAuditTrail(knex)
    await createActivity(knex)
    await knex.raw(`
      create table exports (
        export_id uuid primary key,
        site integer not null,
        charset text not null,
        with_profile boolean not null,
        requested_by text not null,
        requested_at timestamptz not null,
        state text not null check (state in ('waiting', 'running', 'ready', 'failed', 'expired')),
        written integer not null default 0,
        total integer not null default 0,
        replaced integer not null default 0,
        bytes bigint,
        expires_at timestamptz,
        -- Last heartbeat of the process that writes the export.
        heartbeat_at timestamptz not null
      );
      create index exports_site on exports (site, requested_at desc);
      create unique index exports_one_at_a_time on exports (site) where state in ('waiting', 'running');

      -- The encrypted file in parts, so that every replica can serve it.
      create table export_parts (
        export_id uuid not null references exports on delete cascade,
        number integer not null,
        content bytea not null,
        primary key (export_id, number)
      );
      -- Encrypted data cannot be compressed.
      alter table export_parts alter column content set storage external;
    `)
  },
}
