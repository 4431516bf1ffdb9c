import type { Migration } from '#database'

/** Adds login providers that sites configure. Both columns are null for built-in providers. */
export const configuredProviders: Migration = {
  name: '0008-configured-providers',
  async up(knex) {
    await knex.raw(`
      alter table provider_settings
        -- How end users log in, as the administrator entered it.
        add column definition jsonb,
        -- Its addresses, with those of its discovery document.
        add column endpoints jsonb,
        add constraint provider_settings_definition_complete check ((definition is null) = (endpoints is null));
    `)
  },
}
