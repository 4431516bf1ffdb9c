import type { Migration } from '#database'

/** Adds whether site logins may return to any URL in the site's domains. */
export const callbackByDomain: Migration = {
  name: '0003-callback-by-domain',
  async up(knex) {
    await knex.raw('alter table clients add column callback_by_domain boolean not null default false')
  },
}
