import type { Knex } from 'knex'
import type { MetadataSchemas } from '#contracts'
import { defineStatement, type Executor } from '#database'

const selectSchemas = defineStatement<MetadataSchemas>(
  'select user_metadata_schema, app_metadata_schema, revision from metadata_schemas where site = $1',
)

export async function findSchemas(executor: Executor, site: number): Promise<MetadataSchemas | undefined> {
  return (await selectSchemas(executor, [site])).rows[0]
}

const selectRevision = defineStatement<{ readonly revision: number }>(
  'select revision from metadata_schemas where site = $1',
)

/** The revision of a site's schemas; 0 if it never had any. */
export async function findSchemaRevision(executor: Executor, site: number): Promise<number> {
  return (await selectRevision(executor, [site])).rows[0]?.revision ?? 0
}

/** Stores the schemas of a locked site. */
export async function storeSchemas(
  trx: Knex.Transaction,
  site: number,
  { user_metadata_schema, app_metadata_schema, revision }: MetadataSchemas,
): Promise<void> {
  const row = {
    user_metadata_schema: user_metadata_schema && JSON.stringify(user_metadata_schema),
    app_metadata_schema: app_metadata_schema && JSON.stringify(app_metadata_schema),
    revision,
  }
  await trx('metadata_schemas')
    .insert({ site, ...row })
    .onConflict('site')
    .merge(row)
}
