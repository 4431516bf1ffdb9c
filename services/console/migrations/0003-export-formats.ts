import type { Migration } from '#database'

/** Adds the format and the filter of exports. */
export const exportFormats: Migration = {
  name: '0003-export-formats',
  async up(knex) {
    await knex.raw(`
      alter table exports
        add column format text not null default 'csv',
        add column with_credentials boolean not null default false,
        add column filter jsonb not null default '{}'`)
  },
}
