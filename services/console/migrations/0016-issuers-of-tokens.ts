import type { Migration } from '#database'

export const issuersOfTokens: Migration = {
  name: '0016-issuers-of-tokens',
  async up(knex) {
    // The member who issued it, directly or with a token. Null: issued on the service's command line.
    await knex.raw('alter table tokens add column issued_by uuid')
    await knex.raw('create index tokens_issued_by on tokens (issued_by)')
  },
}
