import { formatReason, type RolePreview } from '#admin-api'
import type { ClaimedRoles } from './claimed-roles.ts'

/** The roles of claims, or the problem, in the format of the Admin API. */
export function toRolePreview({ values, role, site_roles, problem }: ClaimedRoles): RolePreview {
  return {
    values: values === null ? null : [...values],
    role,
    site_roles,
    problem: problem && { reason: problem.name, message: formatReason(problem), parameters: { ...problem.parameters } },
  }
}
