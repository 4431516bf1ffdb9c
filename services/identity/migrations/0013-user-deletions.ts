import type { Migration } from '#database'

/** When users who asked for it are deleted. */
export const userDeletions: Migration = {
  name: '0013-user-deletions',
  async up(knex) {
    await knex.raw(`
      create table user_deletions (
        site integer not null,
        identifier text collate "C" not null,
        requested_at timestamptz not null,
        delete_at timestamptz not null,
        constraint user_deletions_pk primary key (site, identifier),
        constraint user_deletions_user_fk foreign key (site, identifier) references users on delete cascade
      );
      create index user_deletions_due on user_deletions (delete_at)`)
  },
}
