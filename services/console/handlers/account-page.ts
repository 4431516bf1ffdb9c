import type { adminAccountPageProcedures } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

export const accountPageHandlers = {
  async readAccountPage(name, deps, { call }) {
    const { site, account, site_id } = await resolveSite(name, deps, call)
    return deps.provider_auth.readAccountPage({ site, account, site_id }, call)
  },

  async changeAccountPage({ enabled, deletion_waiting_days, ...name }, deps, { audit, call, expected_revision }) {
    const { site, account, site_id } = await resolveSite(name, deps, call)
    const names = { site, account, site_id }
    const before = await deps.provider_auth.readAccountPage(names, call)
    const settings = { enabled, deletion_waiting_days }
    const changed = await deps.provider_auth.changeAccountPage({ ...names, ...settings, expected_revision }, call)
    audit({ enabled: before.enabled, deletion_waiting_days: before.deletion_waiting_days }, settings)
    return changed
  },
} satisfies AdminHandlers<keyof typeof adminAccountPageProcedures>
