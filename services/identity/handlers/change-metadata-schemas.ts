import { Fault, type MetadataSchema, type RejectedField } from '#contracts'
import { transaction } from '#database'
import { compileSchema } from '../compile-schema.ts'
import type { IdentityHandlers } from '../deps.ts'
import { SchemaProblem } from '../domain/metadata-schema-cost.ts'
import { findSchemas, storeSchemas } from '../store/metadata-schemas.ts'
import { lockSite } from '../store/sites.ts'
import { noSchemas } from './read-metadata-schemas.ts'

export const changeMetadataSchemas: IdentityHandlers['changeMetadataSchemas'] = async (
  { site, user_metadata_schema, app_metadata_schema, expected_revision },
  { knex },
) => {
  const fields = Object.entries({ user_metadata_schema, app_metadata_schema }).flatMap(([field, schema]) =>
    schema == null ? [] : findProblems(field, schema),
  )
  if (fields.length > 0) throw new Fault('invalid_parameter', { fields })
  return transaction(knex, async (trx) => {
    if ((await lockSite(trx, site)) === undefined) throw new Fault('entity_not_found')
    const before = (await findSchemas(trx, site)) ?? noSchemas
    if (before.revision !== expected_revision) throw new Fault('changed_meanwhile')
    const after = {
      user_metadata_schema: user_metadata_schema === undefined ? before.user_metadata_schema : user_metadata_schema,
      app_metadata_schema: app_metadata_schema === undefined ? before.app_metadata_schema : app_metadata_schema,
      revision: before.revision + 1,
    }
    await storeSchemas(trx, site, after)
    return after
  })
}

function findProblems(field: string, schema: MetadataSchema): RejectedField[] {
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    if (!(error instanceof SchemaProblem)) throw error
    return [{ field, reason: `cannot be used at ${error.place || '/'}: ${error.message}` }]
  }
}
