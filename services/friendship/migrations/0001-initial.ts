import { deletedLinkDataTable, type Migration } from '#database'

export const initial: Migration = {
  name: '0001-initial',
  async up(knex) {
    await knex.raw(`
      create table statuses (
        link_id uuid constraint statuses_pk primary key,
        friendship_status boolean not null,
        friendship_status_updated_at timestamptz not null
      );
${deletedLinkDataTable}
    `)
  },
}
