import type { Migration } from '#database'

export const detailsOfRequests: Migration = {
  name: '0020-details-of-requests',
  async up(knex) {
    await knex.raw(`
      alter table requests
        add column parameter text,
        add column reason text,
        add column documentation text,
        add column unknown_parameters text[] not null default '{}'`)
  },
}
