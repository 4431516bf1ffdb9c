import { roles } from 'virtual:contract'
import { useRead } from './queries.ts'
import type { Role } from './types.ts'

/**
 * Returns a check whether the signed-in member has a role in an account, or in a site of it. The service enforces it; pages only hide
 * what it would reject.
 */
export function useHasRole(where: { account: string; site_id?: string | undefined }): (role: Role) => boolean {
  const me = useRead('readMe', {}).data?.member
  const mine = me?.roles.filter(
    ({ account, site_id }) => account === where.account && (site_id === null || site_id === where.site_id),
  )
  const rank = (role: Role) => roles.indexOf(role)
  return (needed) => me?.operator === true || (mine?.some(({ role }) => rank(role) >= rank(needed)) ?? false)
}

export function useIsOperator(): boolean {
  return useRead('readMe', {}).data?.member.operator === true
}
