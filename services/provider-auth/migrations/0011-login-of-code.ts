import type { Migration } from '#database'

/** Adds the login that a code was issued for, so that the log of logins has its exchange. */
export const loginOfCode: Migration = {
  name: '0011-login-of-code',
  async up(knex) {
    await knex.raw('alter table authorization_codes add column login_id uuid')
  },
}
