import type { Migration } from '#database'

/** Adds what end users do with their own accounts to the audit trail. */
export const actionsOfEndUsers: Migration = {
  name: '0014-actions-of-end-users',
  async up(knex) {
    await knex.raw(`
      alter table audit_entries
        -- The report of an end user's action, which can arrive twice. Null: another actor.
        add column action_id uuid,
        -- Null: an end user, whose address is not stored.
        alter column address drop not null,
        add constraint audit_entries_address check (address is not null or action_id is not null);
      create unique index audit_entries_action on audit_entries (action_id) where action_id is not null;
      -- End users can have most of the entries.
      create index audit_entries_other_actors on audit_entries (account, entry) where action_id is null`)
  },
}
