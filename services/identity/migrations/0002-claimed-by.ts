import type { Migration } from '#database'

/** Adds which request claimed a row of stored responses last: attempts of it that arrive after its end must not claim again. */
export const claimedBy: Migration = {
  name: '0002-claimed-by',
  async up(knex) {
    await knex.raw('alter table stored_responses add column claimed_by uuid not null default gen_random_uuid()')
  },
}
