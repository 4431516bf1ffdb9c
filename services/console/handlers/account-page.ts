import type { adminAccountPageProcedures } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

export const accountPageHandlers = {
  async readAccountPage(name, deps, { call }) {
    const { site, account, site_id } = await resolveSite(name, deps, call)
    return deps.provider_auth.readAccountPage({ site, account, site_id }, call)
  },

  async changeAccountPage({ enabled, ...name }, deps, { audit, call, expected_revision }) {
    const { site, account, site_id } = await resolveSite(name, deps, call)
    const names = { site, account, site_id }
    const before = await deps.provider_auth.readAccountPage(names, call)
    const changed = await deps.provider_auth.changeAccountPage({ ...names, enabled, expected_revision }, call)
    audit({ enabled: before.enabled }, { enabled })
    return changed
  },
} satisfies AdminHandlers<keyof typeof adminAccountPageProcedures>
