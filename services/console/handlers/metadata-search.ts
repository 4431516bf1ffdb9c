import type { metadataSearchProcedures } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

export const metadataSearchHandlers = {
  async readMetadataSearch(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return deps.identity.readMetadataSearch({ site }, call)
  },

  async changeMetadataSearch({ paths, ...name }, deps, { audit, call, expected_revision }) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.identity.readMetadataSearch({ site }, call)
    const changed = await deps.identity.changeMetadataSearch({ site, paths, expected_revision }, call)
    audit({ paths: before.paths }, { paths: changed.paths })
    return changed
  },
} satisfies AdminHandlers<keyof typeof metadataSearchProcedures>
