import type { MetadataSchemas } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { findSchemas } from '../store/metadata-schemas.ts'

export const noSchemas: MetadataSchemas = { user_metadata_schema: null, app_metadata_schema: null, revision: 0 }

export const readMetadataSchemas: IdentityHandlers['readMetadataSchemas'] = async ({ site }, { knex }) =>
  (await findSchemas(knex, site)) ?? noSchemas
