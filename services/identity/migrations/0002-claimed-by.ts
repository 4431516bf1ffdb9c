import type { Migration } from '#database'

/** Adds the request that claimed last, so that an attempt of it that arrives after the claim ended does not claim again. */
export const claimedBy: Migration = {
  name: '0002-claimed-by',
  async up(knex) {
    await knex.raw('alter table stored_responses add column claimed_by uuid not null default gen_random_uuid()')
  },
}
