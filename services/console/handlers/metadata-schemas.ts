import type { metadataSchemaProcedures } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

export const metadataSchemaHandlers = {
  async readMetadataSchemas(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return deps.identity.readMetadataSchemas({ site }, call)
  },

  async changeMetadataSchemas(
    { user_metadata_schema, app_metadata_schema, ...name },
    deps,
    { audit, call, expected_revision },
  ) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.identity.readMetadataSchemas({ site }, call)
    const change = { site, user_metadata_schema, app_metadata_schema, expected_revision }
    const changed = await deps.identity.changeMetadataSchemas(change, call)
    audit(before, changed)
    return changed
  },
} satisfies AdminHandlers<keyof typeof metadataSchemaProcedures>
