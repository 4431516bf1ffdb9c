import { type Migration, siteDeletionsMigration } from '#database'

const { name, up } = siteDeletionsMigration('0012-site-deletions')

/** Also ends the use of a closed site's settings that replicas keep in memory. */
export const siteDeletions: Migration = {
  name,
  async up(knex) {
    await up(knex)
    await knex.raw(`
      create trigger site_deletions_change after insert on site_deletions
        for each row when (new.table_name = '') execute function increment_settings_revision()`)
  },
}
