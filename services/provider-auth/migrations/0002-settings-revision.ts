import type { Migration } from '#database'

const tables = ['clients', 'client_secrets', 'redirect_uris', 'provider_settings']

/**
 * Adds the revision of everything that `site-settings.ts` keeps in memory. It is incremented at the end of each transaction that
 * changes any of it, because concurrent changes wait for each other from then on.
 */
export const settingsRevision: Migration = {
  name: '0002-settings-revision',
  async up(knex) {
    await knex.raw(`
      create table settings_revision (
        only_row boolean constraint settings_revision_pk primary key default true check (only_row),
        revision bigint not null
      );
      insert into settings_revision (revision) values (0);
      create function increment_settings_revision() returns trigger language plpgsql as $$
      begin
        update settings_revision set revision = revision + 1;
        return null;
      end $$;
      ${tables
        .map(
          (table) => `create constraint trigger ${table}_change after insert or update or delete on ${table}
            deferrable initially deferred for each row execute function increment_settings_revision();`,
        )
        .join('\n')}
    `)
  },
}
