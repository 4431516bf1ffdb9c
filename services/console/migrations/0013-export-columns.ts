import type { Migration } from '#database'

/** The columns of CSV exports that were chosen, and whether their numbers are marked as text. */
export const exportColumnChoices: Migration = {
  name: '0013-export-columns',
  async up(knex) {
    // Null: the usual columns.
    await knex.raw(`
      alter table exports
        add column columns text[],
        add column numbers_as_text boolean not null default false`)
  },
}
