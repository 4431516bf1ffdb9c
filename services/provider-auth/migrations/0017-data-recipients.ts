import type { Migration } from '#database'

/** Adds which applications received data of a user, what and when. */
export const dataRecipients: Migration = {
  name: '0017-data-recipients',
  async up(knex) {
    await knex.raw(`
      create table data_recipients (
        site integer not null,
        -- The linked account with which the user logged in. Its row ends with it, and moves with it in a merge.
        link_id uuid not null,
        -- Empty: the servers of the site, which redeemed a one-time token. A removed client stays.
        client_id text not null,
        -- Scopes, and claims by the client's settings, sorted.
        received text[] not null,
        first_at timestamptz not null,
        -- Renewed at most once a day.
        last_at timestamptz not null,
        -- When the user removed the access of the application.
        access_removed_at timestamptz,
        constraint data_recipients_pk primary key (site, link_id, client_id, received)
      )`)
  },
}
