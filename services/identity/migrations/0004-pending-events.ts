import { type Migration, pendingEventsMigration } from '#database'

const { name, up } = pendingEventsMigration('0004-pending-events')

/** Also adds the index that finds the user of a link, for events of services that name users by links. */
export const pendingEvents: Migration = {
  name,
  async up(knex) {
    await up(knex)
    await knex.raw('create index links_by_id on links (site, link_id)')
  },
}
