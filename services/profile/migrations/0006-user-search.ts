import { analyzeOften, type Migration } from '#database'

export const userSearch: Migration = {
  name: '0006-user-search',
  async up(knex) {
    await knex.raw(`
      -- By which fields the users of a site can be found. While indexing_started_at is set, a job indexes stored profiles in the
      -- order of identifiers.
      create table user_search (
        site integer constraint user_search_pk primary key,
        revision integer not null,
        fields text[] not null,
        -- The key of the terms that are written.
        key_version integer not null,
        indexing_started_at timestamptz,
        indexed_up_to text collate "C" not null default '',
        users_indexed integer not null default 0
      );

      -- A random key for the terms of a site, encrypted with the key ring. An earlier version is deleted with its last term.
      create table user_search_keys (
        site integer not null,
        version integer not null,
        key_encrypted bytea not null,
        constraint user_search_keys_pk primary key (site, version)
      );

      -- The first 32 bits of the HMAC of what a user can be found by. Users who share them by chance are sorted out with their profiles.
      create table user_search_terms (
        site integer not null,
        term integer not null,
        identifier text collate "C" not null,
        constraint user_search_terms_pk primary key (site, term, identifier)
      );
      create index user_search_terms_of_user on user_search_terms (site, identifier);
      ${analyzeOften('user_search_terms')}
    `)
  },
}
