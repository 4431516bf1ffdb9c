import { type Migration, siteFreezesMigration } from '#database'

const { name, up } = siteFreezesMigration('0022-site-freezes')

/** Also adds which cell serves a site. */
export const siteFreezes: Migration = {
  name,
  async up(knex) {
    await up(knex)
    await knex.raw(`
      alter table sites add column serving text not null default 'here'
          constraint sites_serving check (serving in ('here', 'arriving', 'moved')),
        -- Base URLs of the other cell.
        add column moved_to jsonb,
        -- Of the last change of these columns: a late message has a lower one.
        add column serving_order bigint not null default 0`)
  },
}
