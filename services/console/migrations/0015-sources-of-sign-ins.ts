import type { Migration } from '#database'

export const sourcesOfSignIns: Migration = {
  name: '0015-sources-of-sign-ins',
  async up(knex) {
    for (const table of ['challenges', 'provider_visits']) {
      await knex.raw(`alter table ${table} add column source text collate "C" not null default ''`)
      await knex.raw(`create index ${table}_of_source on ${table} (source, expires_at)`)
    }
  },
}
