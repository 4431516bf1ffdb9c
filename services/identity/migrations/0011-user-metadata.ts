import type { Migration } from '#database'

/** The metadata of users, in a table of its own: logins rewrite rows of `users`, which remain small. */
export const userMetadata: Migration = {
  name: '0011-user-metadata',
  async up(knex) {
    await knex.raw(`
      create table user_metadata (
        site integer not null,
        identifier text collate "C" not null,
        user_metadata jsonb not null,
        app_metadata jsonb not null,
        revision integer not null,
        constraint user_metadata_pk primary key (site, identifier),
        constraint user_metadata_user_fk foreign key (site, identifier) references users on delete cascade
      )`)
  },
}
