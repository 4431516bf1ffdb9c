import { type Migration, siteDeletionsMigration } from '#database'

const { name, up } = siteDeletionsMigration('0008-site-deletions')

/** Adds requested deletions of sites, with their approval and progress. */
export const siteDeletions: Migration = {
  name,
  async up(knex) {
    await up(knex)
    await knex.raw(`
      create table site_deletion_requests (
        request_id uuid constraint site_deletion_requests_pk primary key,
        account text collate "C" not null,
        site_id text collate "C" not null,
        site integer not null,
        state text not null constraint site_deletion_requests_state
          check (state in ('pending', 'approved', 'deleting', 'deleted', 'canceled', 'expired')),
        reason text,
        requested_by text not null,
        -- Of a token: the member who issued it. Null: an operator's token that was issued on the service's command line.
        requester_id uuid,
        requester_token_id uuid,
        -- Whether an operator requested it who is no owner.
        by_operator boolean not null,
        requested_at timestamptz not null,
        expires_at timestamptz not null,
        approved_by text,
        approved_at timestamptz,
        canceled_by text,
        canceled_at timestamptz,
        service text,
        -- Rows by service and table: now, and when the last round over all services began.
        deleted jsonb not null default '{}',
        deleted_before jsonb not null default '{}',
        next_step_at timestamptz,
        deleted_at timestamptz
      );
      create index site_deletion_requests_site on site_deletion_requests (account, site_id, requested_at desc);
      create unique index site_deletion_requests_one on site_deletion_requests (account, site_id)
        where state in ('pending', 'approved', 'deleting', 'deleted');
      create index site_deletion_requests_due on site_deletion_requests (next_step_at) where next_step_at is not null`)
  },
}
