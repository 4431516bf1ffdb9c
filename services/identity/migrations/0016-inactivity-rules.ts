import type { Migration } from '#database'

/** The deletion of users who no longer log in, by a rule of their site. */
export const inactivityRules: Migration = {
  name: '0016-inactivity-rules',
  async up(knex) {
    await knex.raw(`
      create table inactivity_rules (
        site integer constraint inactivity_rules_pk primary key
          constraint inactivity_rules_site_fk references sites,
        -- Null: the rule is off.
        delete_after_days integer,
        notice_days integer not null,
        include_mapped boolean not null,
        revision integer not null,
        -- Null: the rule is off, and no deletion that it announced remains.
        next_look_at timestamptz
      );
      create index inactivity_rules_due on inactivity_rules (next_look_at);

      alter table user_deletions add column cause text collate "C" not null default 'user_request';

      alter table users
        -- Set as long as the user has a deletion by inactivity, so that a login reads it with the row.
        add column deletion_noticed_at timestamptz,
        -- When such a deletion was canceled without a login: it counts as one.
        add column kept_at timestamptz;
      -- Small, and without cost for users who have logged in: a login leaves it once.
      create index users_never_logged_in on users (site, created_at, registration, identifier)
        where last_logged_in_at is null`)
  },
}
