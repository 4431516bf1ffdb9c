import type { Migration } from '#database'

export const usersMayBeStale: Migration = {
  name: '0019-users-may-be-stale',
  async up(knex) {
    await knex.raw('alter table sites add column users_may_be_stale boolean not null default false')
  },
}
