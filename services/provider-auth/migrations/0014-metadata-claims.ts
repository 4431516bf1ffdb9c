import type { Migration } from '#database'

/** Adds the parts of a user's metadata that a client receives as claims. */
export const metadataClaims: Migration = {
  name: '0014-metadata-claims',
  async up(knex) {
    await knex.raw(`alter table clients add column metadata_claims text[] not null default '{}'`)
  },
}
