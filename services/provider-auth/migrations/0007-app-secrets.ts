import type { Migration } from '#database'

/** Adds the OAuth 1.0a secret of the tokens of native apps. */
export const appSecrets: Migration = {
  name: '0007-app-secrets',
  async up(knex) {
    await knex.raw('alter table credentials add column client_access_secret bytea')
  },
}
