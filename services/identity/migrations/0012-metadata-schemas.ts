import type { Migration } from '#database'

/** The JSON Schemas of sites for the metadata of their users, in the order of members that was sent. */
export const metadataSchemas: Migration = {
  name: '0012-metadata-schemas',
  async up(knex) {
    await knex.raw(`
      create table metadata_schemas (
        site integer constraint metadata_schemas_pk primary key
          constraint metadata_schemas_site_fk references sites,
        user_metadata_schema json,
        app_metadata_schema json,
        revision integer not null
      )`)
  },
}
