import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Rules for callback addresses that a change of a site in identity is about to make.
    create table prepared_callback_rules (
      site integer not null,
      expected_revision integer not null,
      kind text not null,
      domains text[] not null,
      prepared_at timestamptz not null default now()
    );
    create index prepared_callback_rules_of_site on prepared_callback_rules (site);
  `)
}
