import type { Migration } from '#database'

/** The latest answer of each user to each document of the site. */
export const userConsents: Migration = {
  name: '0015-consents',
  async up(knex) {
    await knex.raw(`
      create table consents (
        site integer not null,
        identifier text collate "C" not null,
        document text collate "C" not null,
        version integer not null,
        accepted boolean not null,
        answered_at timestamptz not null,
        constraint consents_pk primary key (site, identifier, document),
        constraint consents_user_fk foreign key (site, identifier) references users on delete cascade
      )`)
  },
}
