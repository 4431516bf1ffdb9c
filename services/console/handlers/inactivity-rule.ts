import type { inactivityRuleProcedures } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

export const inactivityRuleHandlers = {
  async readInactivityRule(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return deps.identity.readInactivityRule({ site }, call)
  },

  async changeInactivityRule(
    { delete_after_days, notice_days, include_mapped, ...name },
    deps,
    { audit, call, expected_revision },
  ) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.identity.readInactivityRule({ site }, call)
    const settings = { delete_after_days, notice_days, include_mapped }
    const changed = await deps.identity.changeInactivityRule({ site, ...settings, expected_revision }, call)
    audit(before, changed)
    return changed
  },

  async previewInactivityRule({ delete_after_days, notice_days, include_mapped, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return deps.identity.previewInactivityRule({ site, delete_after_days, notice_days, include_mapped }, call)
  },
} satisfies AdminHandlers<keyof typeof inactivityRuleProcedures>
