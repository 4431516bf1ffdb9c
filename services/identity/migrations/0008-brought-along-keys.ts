import type { Migration } from '#database'

export const broughtAlongKeys: Migration = {
  name: '0008-brought-along-keys',
  async up(knex) {
    await knex.raw('alter table api_keys add column brought_along boolean not null default false')
  },
}
