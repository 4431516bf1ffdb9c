import type { Migration } from '#database'

export const loginButtons: Migration = {
  name: '0009-login-buttons',
  async up(knex) {
    await knex.raw(`
      alter table sites
        add column provider_order text[] not null default '{}',
        add column provider_names jsonb not null default '{}'`)
  },
}
