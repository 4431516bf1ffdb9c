import type { Migration } from '#database'

export const loginHistoryDays: Migration = {
  name: '0007-login-history-days',
  async up(knex) {
    // Null: as long as the user.
    await knex.raw(`
      alter table sites add column login_history_days integer
        constraint sites_login_history_days check (login_history_days > 0)`)
    // Logins stand in the order of their times, so that a summary of each stretch finds the old ones, and costs a login nothing.
    await knex.raw('create index login_history_at on login_history using brin (at)')
  },
}
