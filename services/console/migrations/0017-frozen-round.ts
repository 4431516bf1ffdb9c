import type { Migration } from '#database'

/** Adds the first round of a move after its freeze: the one that compares every row. */
export const frozenRound: Migration = {
  name: '0017-frozen-round',
  async up(knex) {
    await knex.raw('alter table site_moves add column frozen_round integer')
  },
}
