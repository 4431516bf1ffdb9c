import type { Migration } from '#database'

export const noServiceUrl: Migration = {
  name: '0008-no-service-url',
  async up(knex) {
    // Nothing ever used it.
    await knex.raw('alter table sites drop column service_url')
  },
}
