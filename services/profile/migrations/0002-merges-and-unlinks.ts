import type { Migration } from '#database'

export const mergesAndUnlinks: Migration = {
  name: '0002-merges-and-unlinks',
  async up(knex) {
    // The tombstone of a merged user tells where what arrives late goes. The rows there are hold the constraint: not valid
    // spares looking at each of them under a lock.
    await knex.raw(`
      alter table profiles
        add column merged_into text collate "C",
        add column merged_at timestamptz,
        add constraint profiles_merged_is_forgotten check (
          (merged_into is null) = (merged_at is null) and (merged_into is null or forgotten)
        ) not valid`)
    // Without data a row says that the provider was unlinked: nothing that was obtained until then is kept.
    await knex.raw(`
      alter table provider_profiles
        alter column data drop not null,
        add column brought_at timestamptz`)
  },
}
