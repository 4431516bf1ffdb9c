import type { Migration } from '#database'

export const userBlocks: Migration = {
  name: '0010-user-blocks',
  async up(knex) {
    await knex.raw(`
      alter table users
        add column blocked_at timestamptz,
        -- Null with a block: until the user is unblocked.
        add column blocked_until timestamptz,
        add column block_reason text,
        add column blocked_by text,
        -- Sessions and tokens of logins that were recorded until then have ended.
        add column sessions_ended_at timestamptz,
        add constraint users_block_whole check (
          (blocked_at is null) = (blocked_by is null)
          and (blocked_at is not null or (blocked_until is null and block_reason is null)))`)
    await knex.raw('create index users_blocked on users (site, registration, identifier) where blocked_at is not null')
  },
}
