import type { Knex } from 'knex'

/** Null: the settings are from before there were options. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table provider_settings add column options bytea')
}
