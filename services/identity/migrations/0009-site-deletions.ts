import { type Migration, siteDeletionsMigration } from '#database'

const { name, up } = siteDeletionsMigration('0009-site-deletions')

/** Also adds the closed sites, whose names are never used again and whose revisions gateways read, so that they forget the keys. */
export const siteDeletions: Migration = {
  name,
  async up(knex) {
    await up(knex)
    await knex.raw(`
      alter table sites add column closed_at timestamptz;
      create table closed_sites (
        site integer constraint closed_sites_pk primary key,
        account text collate "C" not null,
        site_id text collate "C" not null,
        -- In the order of all sites' changes.
        revision bigint not null constraint closed_sites_revision_unique unique,
        closed_at timestamptz not null default now(),
        constraint closed_sites_account_site_id_unique unique (account, site_id)
      )`)
  },
}
