import type { Role } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'
import type { RoleValues } from './account-roles.tsx'

/** Returns a function that formats the roles in an account as one line, e.g. “Viewer, Editor in shop”; null: none. */
export function useFormatRoles() {
  const { members: t, common } = useTexts('members')
  return ({ role, site_roles }: { role: Role | '' | null } & Pick<RoleValues, 'site_roles'>): string | null => {
    const inSites = Object.entries(site_roles).map(([site, one]) => t.role_in_site({ role: common.roles[one], site }))
    const all = role === null || role === '' ? inSites : [common.roles[role], ...inSites]
    return all.length === 0 ? null : all.join(', ')
  }
}
