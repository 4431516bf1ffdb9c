import type { Migration } from '#database'

/** The columns of lists of users that each member chose. */
export const memberUserColumns: Migration = {
  name: '0012-user-columns',
  async up(knex) {
    // Null: the default ones.
    await knex.raw('alter table members add column user_columns text[]')
  },
}
