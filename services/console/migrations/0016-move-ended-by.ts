import type { Migration } from '#database'

/** Adds who committed a move of a site, canceled it or rolled it back. */
export const moveEndedBy: Migration = {
  name: '0016-move-ended-by',
  async up(knex) {
    await knex.raw('alter table site_moves add column ended_by text')
  },
}
