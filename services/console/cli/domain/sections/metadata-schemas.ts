import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { MetadataSchemas } from '#contracts'
import type { Change } from '../step.ts'
import { describeSectionChange, type FileSection } from './section.ts'

const fields = ['user_metadata_schema', 'app_metadata_schema'] as const

const DesiredSchemas = z.strictObject(MetadataSchemas.omit({ revision: true }).partial().shape)

/** The JSON Schemas for the metadata of users; null: any object. A schema that is not in the files stays. */
export const metadataSchemasSection: FileSection<z.infer<typeof DesiredSchemas>, 'readMetadataSchemas'> = {
  schema: DesiredSchemas,
  reader: 'readMetadataSchemas',
  plan(place, desired, actual) {
    const changes = fields.flatMap((field): Change[] => {
      const [before, after] = [actual?.[field] ?? null, desired[field]]
      // Lists are compared in their order, which has a meaning in schemas, e.g. in `prefixItems`.
      if (after === undefined || isDeepStrictEqual(before, after)) return []
      return [{ field, before: formatSchema(before), after: formatSchema(after) }]
    })
    const isFirst = fields.every((field) => (actual?.[field] ?? null) === null)
    const step = describeSectionChange(place, { name: 'metadata schemas', isNew: isFirst, actual, changes })
    return step && { procedure: 'changeMetadataSchemas', input: { ...place.site, ...desired }, ...step }
  },
  toDesired(actual) {
    const entries = fields.flatMap((field) => (actual[field] === null ? [] : [[field, actual[field]] as const]))
    return entries.length > 0 ? Object.fromEntries(entries) : undefined
  },
}

/** Formats a schema as JSON, which a plan shows as it is. */
function formatSchema(schema: object | null): string | null {
  return schema && JSON.stringify(schema)
}
