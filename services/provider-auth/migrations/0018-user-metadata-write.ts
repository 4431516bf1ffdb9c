import type { Migration } from '#database'

/** Adds which clients can request the scope that reads and changes `user_metadata`. */
export const userMetadataWrite: Migration = {
  name: '0018-user-metadata-write',
  async up(knex) {
    await knex.raw('alter table clients add column user_metadata_write boolean not null default false')
  },
}
