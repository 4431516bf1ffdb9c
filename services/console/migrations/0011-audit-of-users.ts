import type { Migration } from '#database'

/** Finds the entries of the audit trail about a user. */
export const auditOfUsers: Migration = {
  name: '0011-audit-of-users',
  async up(knex) {
    await knex.raw(`
      create index audit_entries_user
        on audit_entries (account, site_id, coalesce(after ->> 'identifier', before ->> 'identifier'), entry)
        where coalesce(after ->> 'identifier', before ->> 'identifier') is not null`)
  },
}
