import { isDeepStrictEqual } from 'node:util'
import type { SiteReference } from '#admin-api'
import type { DesiredSite } from './desired.ts'
import { pathOf } from './site-path.ts'
import type { ActualSite, Change, Plan } from './step.ts'

const fields = ['user_metadata_schema', 'app_metadata_schema'] as const

/** Plans the schemas for the metadata of users. Schemas that are not in the files stay unchanged; null removes one. */
export function planMetadataSchemas(
  site: SiteReference,
  desired: DesiredSite['metadata_schemas'],
  actual: ActualSite | undefined,
): Plan {
  if (desired === undefined) return { steps: [], notes: [] }
  const changes = fields.flatMap((field): Change[] => {
    const [before, after] = [actual?.metadataSchemas[field] ?? null, desired[field]]
    // Lists are compared in their order, which has a meaning in schemas, e.g. in `prefixItems`.
    if (after === undefined || isDeepStrictEqual(before, after)) return []
    return [{ field, before: formatSchema(before), after: formatSchema(after) }]
  })
  if (changes.length === 0) return { steps: [], notes: [] }
  const isFirst = fields.every((field) => (actual?.metadataSchemas[field] ?? null) === null)
  return {
    steps: [
      {
        procedure: 'changeMetadataSchemas',
        kind: isFirst ? 'create' : 'change',
        subject: `metadata schemas ${site.account}/${site.site_id}`,
        path: `${pathOf(site)}.metadata_schemas`,
        input: { ...site, ...desired },
        ...(actual && { revision: actual.metadataSchemas.revision }),
        changes,
      },
    ],
    notes: [],
  }
}

/** Formats a schema as JSON, which a plan shows as it is. */
function formatSchema(schema: object | null): string | null {
  return schema && JSON.stringify(schema)
}
