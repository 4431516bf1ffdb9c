import type { Migration } from '#database'

export const startUrl: Migration = {
  name: '0007-start-url',
  async up(knex) {
    await knex.raw('alter table sites add column start_url text')
  },
}
