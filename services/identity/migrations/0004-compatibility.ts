import type { Migration } from '#database'

export const compatibility: Migration = {
  name: '0004-compatibility',
  async up(knex) {
    await knex.raw("alter table sites add column compatibility text[] not null default '{}'")
  },
}
