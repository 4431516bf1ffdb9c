import type { Migration } from '#database'

/** Adds the documents that end users of a site answer to, and which clients receive the answers as a claim. */
export const terms: Migration = {
  name: '0016-terms',
  async up(knex) {
    await knex.raw(`
      create table site_terms (
        site integer constraint site_terms_pk primary key,
        documents jsonb not null,
        revision bigint not null
      );
      create constraint trigger site_terms_change after insert or update or delete on site_terms
        deferrable initially deferred for each row execute function increment_settings_revision();
      alter table clients add column consents_claim boolean not null default false;
    `)
  },
}
