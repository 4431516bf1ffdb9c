import { analyzeOften, type Migration } from '#database'

/** The values of metadata by which the lists of a site can be filtered, each with its users. */
export const metadataSearch: Migration = {
  name: '0020-metadata-search',
  async up(knex) {
    await knex.raw(`
      -- By which paths lists can be filtered. While indexing_started_at is set, a job indexes stored metadata in the order of
      -- identifiers.
      create table metadata_searches (
        site integer constraint metadata_searches_pk primary key
          constraint metadata_searches_site_fk references sites,
        revision integer not null,
        paths text[] not null,
        indexing_started_at timestamptz,
        indexed_up_to text collate "C" not null default '',
        users_indexed integer not null default 0
      );

      create table metadata_values (
        site integer not null,
        identifier text collate "C" not null,
        path text collate "C" not null,
        value text collate "C" not null,
        constraint metadata_values_pk primary key (site, identifier, path, value),
        constraint metadata_values_user_fk foreign key (site, identifier) references users on delete cascade
      );
      create index metadata_values_search on metadata_values (site, path, value, identifier);
      ${analyzeOften('metadata_values')}
    `)
  },
}
