import { type Migration, pendingEventsMigration } from '#database'

const { name, up } = pendingEventsMigration('0003-pending-events')

/** Also adds the table of sites' settings about events. */
export const pendingEvents: Migration = {
  name,
  async up(knex) {
    await up(knex)
    await knex.raw(`
      create table event_settings (
        site integer constraint event_settings_pk primary key,
        -- Of the site's settings in identity.
        revision integer not null,
        profile_in_events boolean not null
      )`)
  },
}
