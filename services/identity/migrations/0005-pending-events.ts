import { type Migration, pendingEventsMigration } from '#database'

const { name, up } = pendingEventsMigration('0005-pending-events')

/** Also adds the indexes for `findEventUsers`, which other services' events need, and the setting of sites. */
export const pendingEvents: Migration = {
  name,
  async up(knex) {
    await up(knex)
    await knex.raw(`
      create index pending_events_of_subject on pending_events (site, subject);
      create index links_by_id on links (site, link_id);
      alter table sites add column profile_in_events boolean not null default false`)
  },
}
