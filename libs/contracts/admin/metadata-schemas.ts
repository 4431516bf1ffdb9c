import { MetadataSchemas } from '../objects/metadata-schema.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

const { user_metadata_schema, app_metadata_schema } = MetadataSchemas.shape

export const metadataSchemaProcedures = adminProcedures({
  readMetadataSchemas: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/metadata-schemas',
    summary: 'The JSON Schemas for the metadata of users; null: any object',
    role: 'viewer',
    versioned: true,
    servedBy: 'identity',
    input: SiteReference,
    output: MetadataSchemas,
  },
  changeMetadataSchemas: {
    method: 'PATCH',
    path: '/accounts/{account}/sites/{site_id}/metadata-schemas',
    summary:
      'Change the JSON Schemas for the metadata of users. Later changes of metadata must match; stored metadata is not checked. Omitted schemas remain, null removes one',
    role: 'editor',
    versioned: true,
    lossless: true,
    servedBy: 'identity',
    reader: 'readMetadataSchemas',
    input: SiteReference.extend({
      user_metadata_schema: user_metadata_schema.optional(),
      app_metadata_schema: app_metadata_schema.optional(),
    }),
    output: MetadataSchemas,
    faults: { invalid_request: 'A schema cannot be used. The message names the place and the problem.' },
  },
})
