import type { Migration } from '#database'

export const mergesAndUnlinks: Migration = {
  name: '0002-merges-and-unlinks',
  async up(knex) {
    // A status that is null at a time says that the provider was unlinked then: nothing obtained until then is kept.
    // The tombstone of a merged user tells where what arrives late goes. The rows there are hold the constraint: not valid
    // spares looking at each of them under a lock.
    await knex.raw(`
      alter table statuses
        add column brought_at timestamptz,
        add column merged_into text collate "C",
        add column merged_at timestamptz,
        add constraint statuses_merged_is_forgotten check (
          (merged_into is null) = (merged_at is null) and (merged_into is null or forgotten)
        ) not valid`)
  },
}
