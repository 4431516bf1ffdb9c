import type { adminTermsProcedures } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

export const termsHandlers = {
  async readTerms(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return deps.provider_auth.readTerms({ site }, call)
  },

  async changeTerms({ documents, ...name }, deps, { audit, call, expected_revision }) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.provider_auth.readTerms({ site }, call)
    const after = await deps.provider_auth.changeTerms({ site, documents, expected_revision }, call)
    audit({ documents: before.documents }, { documents })
    return after
  },
} satisfies AdminHandlers<keyof typeof adminTermsProcedures>
