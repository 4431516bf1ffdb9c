import type { Migration } from '#database'

/** The list of users by their number of logins. */
export const userListIndexes: Migration = {
  name: '0017-user-list-indexes',
  async up(knex) {
    // A login renews the row's index entries anyway, because last_logged_in_at is in an index; this one costs one entry more.
    await knex.raw('create index users_logins on users (site, login_count, registration, identifier)')
  },
}
