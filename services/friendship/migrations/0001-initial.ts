import { deletedLinkDataTable, type Migration } from '#database'

export const initial: Migration = {
  name: '0001-initial',
  async up(knex) {
    await knex.raw(`
      create table statuses (
        site integer not null,
        link_id uuid not null,
        friendship_status boolean not null,
        friendship_status_updated_at timestamptz not null,
        constraint statuses_pk primary key (site, link_id)
      );
${deletedLinkDataTable}
    `)
  },
}
